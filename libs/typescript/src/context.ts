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

/** Text that a model may take for a mark. */
const MARKS_ALIKE = /<\s*\/?\s*palimpsest(?:\s*>)?/gi;

/** What is known and relevant now, and the ways to put it into a prompt. */
export class Context {
  constructor(answer: ContextResponse) {
    Object.assign(this, answer);
  }

  /**
   * The messages of a chat completion: the prompt with the block in it, the last messages, and `said`.
   *
   *     openai.chat.completions.create({ model, messages: context.toOpenAI({ role: "user", content }) });
   */
  toOpenAI<Said = never>(...said: Said[]): (OpenAIMessage | Said)[] {
    const prompt = this.#prompt();
    return [...(prompt ? [{ role: "system" as const, content: prompt }] : []), ...this.#dialogue(), ...said];
  }

  /**
   * `system` and `messages` of Anthropic's API, as `toOpenAI` makes them. Theirs begin with the user.
   *
   *     anthropic.messages.create({ model, max_tokens, ...context.toAnthropic({ role: "user", content }) });
   */
  toAnthropic<Said = never>(...said: Said[]): { system?: string; messages: (AnthropicMessage | Said)[] } {
    const dialogue = this.#dialogue();
    const first = dialogue.findIndex((message) => message.role === "user");
    const messages = [...(first < 0 ? [] : dialogue.slice(first)), ...said];
    const system = this.#prompt();
    return system ? { system, messages } : { messages };
  }

  /** The prompt, and what was said before the last messages, where the prompt does not say it. */
  #prompt(): string {
    const told = (this.running_summary ?? "").replace(MARKS_ALIKE, "…");
    const summary = this.system_prompt.includes(told) ? "" : `<palimpsest>\n${told}\n</palimpsest>`;
    return [this.system_prompt, summary].filter(Boolean).join("\n\n");
  }

  /** The last messages. What a tool said is left out: it would need the call that it answers. */
  #dialogue(): AnthropicMessage[] {
    return (this.messages ?? [])
      .filter(({ role, text }) => role !== "tool" && text.trim() !== "")
      .map(({ role, text }) => ({ role: role === "user" ? "user" : "assistant", content: text }));
  }
}
