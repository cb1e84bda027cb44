import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** Start a Palimpsest that asks for this key, on a free port and data that go with it. */
export async function runPalimpsest(apiKey: string) {
  const folder = await mkdtemp(join(tmpdir(), "palimpsest-typescript-"));
  const data = join(folder, "data");
  const { PALIMPSEST: program = "palimpsest", ...environment } = process.env;
  const child = spawn(program, ["run", "--port=0"], {
    env: { ...environment, PYTHONUNBUFFERED: "1", PALIMPSEST_DATA_DIRECTORY: data, PALIMPSEST_API_KEY: apiKey },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  const stop = async () => {
    child.kill("SIGINT");
    const [code] = await ended;
    await rm(folder, { recursive: true, force: true });
    return code as number | null;
  };
  const said: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    said.push(line);
    if (!/\bready\b/.test(line)) continue;
    child.stdout.resume();
    const { http_url } = JSON.parse(await readFile(join(data, "instance.json"), "utf8"));
    return { url: http_url as string, stop };
  }
  await stop();
  throw new Error(`Palimpsest ended:\n${said.join("\n")}`);
}
