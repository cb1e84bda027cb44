import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";

export interface Received {
  method: string;
  path: string;
  headers: IncomingMessage["headers"];
  body: any;
}

export type Answer = (response: ServerResponse, received: Received) => void;

/** Start a server that gives these answers one after the other, the last of them again and again. */
export async function answering(test: TestContext, ...answers: Answer[]) {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const written = Buffer.concat(parts).toString();
    const { method = "", url = "", headers } = request;
    const each = { method, path: url, headers, body: written ? JSON.parse(written) : undefined };
    const answer = answers[Math.min(received.length, answers.length - 1)];
    received.push(each);
    answer?.(response, each);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  test.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}

export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Answer {
  return (response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(JSON.stringify(body));
  };
}

/** Lose the connection, and answer nothing. */
export const hangUp: Answer = (response) => void response.socket?.destroy();

/** Never answer. */
export const silence: Answer = () => undefined;
