/** One event of a stream of server-sent events. `data` is empty where only the place is told. */
export interface StreamedEvent {
  id: string;
  data: string;
}

/**
 * Read server-sent events until the stream ends or nothing comes for so long.
 * https://html.spec.whatwg.org/multipage/server-sent-events.html
 */
export async function* readEventStream(
  body: ReadableStream<Uint8Array>,
  silenceMilliseconds: number,
): AsyncGenerator<StreamedEvent, void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  let id = "";
  let data: string[] = [];
  try {
    for (;;) {
      const { done, value } = await readWithin(reader, silenceMilliseconds);
      if (done) return;
      const lines = (rest + decoder.decode(value, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines.map((each) => each.replace(/\r$/, ""))) {
        const [, field, said = ""] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
        if (line === "") {
          yield { id, data: data.join("\n") };
          data = [];
        } else if (field === "id") id = said;
        else if (field === "data") data.push(said);
      }
    }
  } finally {
    // The connection may be lost already, and then there is nothing to give up.
    await reader.cancel().catch(() => undefined);
  }
}

async function readWithin(reader: ReadableStreamDefaultReader<Uint8Array>, milliseconds: number) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("the stream fell silent")), milliseconds);
  });
  try {
    return await Promise.race([reader.read(), silence]);
  } finally {
    clearTimeout(timer);
  }
}
