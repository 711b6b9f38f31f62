import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const main = fileURLToPath(new URL("../../dist/reference/cli/main.js", import.meta.url));
const exitCodes: ReadonlySet<number | null> = new Set([0, 1, 2, 3]);
const maxCpuSeconds = 10;
const maxMebibytes = 512;
/** Only ends what hangs, however slow the machine is. */
const maxMs = 150_000;

/** Tells what the process took, on a descriptor of its own. */
const meter = `data:text/javascript,${encodeURIComponent(
  `import { writeSync } from "node:fs";
  process.on("exit", () => {
    const { user, system } = process.cpuUsage();
    writeSync(3, JSON.stringify({ cpu: (user + system) / 1e6, rss: process.resourceUsage().maxRSS / 1024 }));
  });`,
)}`;

/** Characters that control a terminal or turn its text around, and commands to GitHub. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are looked for
const controls = /[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]|^::/m;
const stackTrace = /^ {4}at .+:\d+:\d+\)?$/m;

/** Runs the commands that read a contract on the files of a folder, and lists what is wrong with them. `server` is a URL. */
export async function runCommands(files: Readonly<Record<string, string>>, server: string): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), "accord-fuzz-"));
  try {
    for (const [name, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    const [first = ""] = Object.keys(files);
    const isProto = first.endsWith(".proto");
    const problems = await run(folder, "init", isProto ? "proto" : first);
    writeFileSync(join(folder, "accord.yaml"), `contracts: {x: {${isProto ? "proto: proto" : `openapi: ${first}`}}}\n`);
    problems.push(...(await run(folder, "lint", "x")));
    problems.push(...(await run(folder, "mock", "x", "--port", "0")));
    problems.push(...(await run(folder, "verify", "x", server, "--timeout", "1000", "--restart-wait", "0")));
    return problems;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs a command, and ends a server once it listens and has answered. */
async function run(folder: string, ...args: string[]): Promise<string[]> {
  const child = spawn(process.execPath, ["--import", meter, main, ...args], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe", "pipe"],
  });
  const [, stdout, stderr, meters] = child.stdio;
  let [output, measured, isAsked] = ["", "", false];
  for (const stream of [stdout, stderr])
    stream?.on("data", (text: Buffer) => {
      output += text;
      const url = /https?:\/\/127\.0\.0\.1:\d+\S*/.exec(output)?.[0];
      if (args[0] !== "mock" || url === undefined || isAsked) return;
      isAsked = true;
      void ask(url).finally(() => child.kill("SIGTERM"));
    });
  meters?.on("data", (text: Buffer) => {
    measured += text;
  });
  const timer = setTimeout(() => child.kill("SIGKILL"), maxMs);
  const [code, signal] = await new Promise<[number | null, string | null]>((resolve) => {
    child.once("close", (...end) => resolve(end));
  });
  clearTimeout(timer);
  const { cpu = 0, rss = 0 }: { cpu?: number; rss?: number } = measured === "" ? {} : JSON.parse(measured);
  const shown = JSON.stringify(output.slice(0, 2_000));
  return [
    ...(exitCodes.has(code) ? [] : [`ended with ${code ?? signal}: ${shown}`]),
    ...(cpu > maxCpuSeconds ? [`took ${cpu} s of processor time`] : []),
    ...(rss > maxMebibytes ? [`took ${rss} MiB`] : []),
    ...(stackTrace.test(output) ? [`printed a stack: ${shown}`] : []),
    ...(controls.test(output) ? [`printed control characters: ${shown}`] : []),
  ].map((problem) => `accord ${args[0]} ${problem}`);
}

async function ask(url: string): Promise<void> {
  const { origin } = new URL(url);
  for (const path of ["/artworks", "/artworks/1", "/zones", "/none"])
    await fetch(`${origin}${path}`, { signal: AbortSignal.timeout(20_000) }).catch(() => undefined);
}
