import type { ContextResponse } from "./values.js";

export interface OpenAIMessage {
  role: "system" | "user" | "assistant";
  content: string;
}

export interface AnthropicMessage {
  role: "user" | "assistant";
  content: string;
}

export interface Context extends ContextResponse {}

/** What is known and relevant now, and the ways to put it into a prompt. */
export class Context {
  constructor(answer: ContextResponse) {
    Object.assign(this, answer);
  }

  /** The prompt with the block in it and the last messages, as OpenAI's chat completions take them. */
  toOpenAI(): OpenAIMessage[] {
    const prompt = this.system_prompt;
    return [...(prompt ? [{ role: "system" as const, content: prompt }] : []), ...this.#dialogue()];
  }

  /** The same as Anthropic's messages take it: the prompt apart, the user's message first. */
  toAnthropic(): { system?: string; messages: AnthropicMessage[] } {
    const dialogue = this.#dialogue();
    const first = dialogue.findIndex((message) => message.role === "user");
    const messages = first < 0 ? [] : dialogue.slice(first);
    return this.system_prompt ? { system: this.system_prompt, messages } : { messages };
  }

  /** The last messages. What a tool said is left out: it would need the call that it answers. */
  #dialogue(): AnthropicMessage[] {
    return (this.messages ?? [])
      .filter(({ role, text }) => role !== "tool" && text.trim() !== "")
      .map(({ role, text }) => ({ role: role === "user" ? "user" : "assistant", content: text }));
  }
}
