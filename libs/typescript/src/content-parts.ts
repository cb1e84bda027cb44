/** Room for the pictures that one message carries in itself. */
const MAXIMUM_ENCLOSED_CHARACTERS = 512 * 1024;

const TEXTS = new Set(["text", "input_text", "output_text"]);

interface Span {
  start: number;
  end: number;
}

/** The parts of a message, in the words of ours. */
export interface SaidParts {
  text: string;
  images: { url: string }[];
  /** The stretches of the text that name what was left out: nothing is remembered of them. */
  injected: Span[];
}

interface Part {
  type?: unknown;
  text?: unknown;
  image_url?: unknown;
  source?: unknown;
}

/**
 * Join the parts of one message; undefined if one of them has no type. Texts are kept, and pictures
 * beside them. Of any other part its type stands in the text, such as `[input_audio]`.
 */
export function joinContentParts(parts: readonly object[]): SaidParts | undefined {
  const lines: string[] = [];
  const said: SaidParts = { text: "", images: [], injected: [] };
  let room = MAXIMUM_ENCLOSED_CHARACTERS;
  let position = 0;
  for (const part of parts as readonly Part[]) {
    if (typeof part?.type !== "string") return undefined;
    const url = findPictureAddress(part);
    const size = url?.startsWith("data:") ? url.length : 0;
    if (url !== undefined && size <= room) {
      room -= size;
      said.images.push({ url });
      continue;
    }
    const isText = TEXTS.has(part.type) && typeof part.text === "string";
    const line = isText ? (part.text as string) : `[${part.type}]`;
    // The services count characters of Unicode, not halves of them.
    const length = [...line].length;
    if (!isText) said.injected.push({ start: position, end: position + length });
    lines.push(line);
    position += length + 1;
  }
  return { ...said, text: lines.join("\n") };
}

/** The address of a picture, as the chat APIs of today write it; undefined if the part is none. */
function findPictureAddress({ type, image_url, source }: Part): string | undefined {
  if (type === "image_url" || type === "input_image") {
    const address = typeof image_url === "object" ? (image_url as { url?: unknown } | null)?.url : image_url;
    return typeof address === "string" ? address : undefined;
  }
  if (type !== "image" || typeof source !== "object" || source === null) return undefined;
  const { type: kind, url, media_type, data } = source as Record<string, unknown>;
  if (kind === "url" && typeof url === "string") return url;
  const isEnclosed = kind === "base64" && typeof media_type === "string" && typeof data === "string";
  return isEnclosed ? `data:${media_type};base64,${data}` : undefined;
}
