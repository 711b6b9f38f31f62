import { cp, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import type { RespectReport } from "../../src/verify/chat/workflows/respect-report.js";
import { captureOutput } from "../capture-output.js";
import { type ChildServer, startChildServer } from "./child-server.js";
import { freePort } from "./free-port.js";
import { compare, timed } from "./measure.js";

const rounds = 3;
const accord = "dist/reference/cli/main.js";
const resolve = createRequire(import.meta.url).resolve;

/** The duration of a tool's run and the number of checks. */
interface Run {
  readonly milliseconds: number;
  readonly count: number;
}

/**
 * The cost of a check of `accord verify`: cases and workflows compared with the underlying tool running alone, and probes compared with a
 * bare `fetch`. Requires `npm run build`.
 */
export async function benchVerify(): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), "accord-bench-"));
  const servers: ChildServer[] = [];
  const serve = async (name: string, url: string, ...args: readonly string[]) => {
    servers.push(await startChildServer([accord, "serve", name, ...args, "--log-level", "error"], url));
  };
  try {
    const [chatPort, socket] = [await freePort(), join(folder, "daemon.sock")];
    const url = `http://127.0.0.1:${chatPort}`;
    await serve("chat", `${url}/api/v1/server_settings`, "--states", "--port", String(chatPort));
    const port = await freePort();
    await serve("daemon", `http://127.0.0.1:${port}/`, "--socket", socket, "--port", String(port), "--allow-private");
    const verified = (...only: readonly string[]) =>
      verify(folder, "chat", `${url}/api/v1`, "--states", `${url}/states`, ...only.flatMap((one) => ["--only", one]));
    const whole = await verified();
    const rows = [rowOf("chat, all checks", whole)];
    for (const [title, only, name, peer] of [
      ["cases", "case ", "Dredd alone", () => runDredd(`${url}/api/v1`)],
      ["workflows", "workflow ", "Respect alone", () => runRespect(folder, url)],
      ["probes", "probe ", "a bare fetch", () => fetchSettings(`${url}/api/v1/server_settings`)],
    ] as const) {
      const {
        ours,
        peer: theirs,
        ratio,
      } = await compare(
        rounds,
        async () => perCheck(await verified(only)),
        async () => perCheck(await peer()),
      );
      rows.push(`  ${title.padEnd(18)} ${ms(ours)} each; ${name} ${ms(theirs)}, ratio ${ratio.toFixed(2)}`);
    }
    rows.push(rowOf("daemon, all checks", await verify(folder, "daemon", `unix:${socket}`)));
    rows.push("  (includes the daemon's wait for a host that never responds)");
    return rows;
  } finally {
    await Promise.all(servers.map(({ stop }) => stop()));
    await rm(folder, { recursive: true });
  }
}

function rowOf(title: string, run: Run): string {
  const { milliseconds, count } = run;
  return `${title.padEnd(20)} ${count} checks in ${(milliseconds / 1000).toFixed(1)} s, ${ms(perCheck(run))} each`;
}

function perCheck({ milliseconds, count }: Run): number {
  return milliseconds / count;
}

function ms(milliseconds: number): string {
  return `${milliseconds.toFixed(1)} ms`;
}

async function verify(folder: string, ...args: readonly string[]): Promise<Run> {
  const report = join(folder, "report.json");
  const jobs = String(availableParallelism());
  const { milliseconds } = await timed(() =>
    captureOutput([accord, "verify", ...args, "--jobs", jobs, "--json", report]),
  );
  const { checks }: { readonly checks: readonly unknown[] } = JSON.parse(await readFile(report, "utf8"));
  return { milliseconds, count: checks.length };
}

/** Runs every transaction of the profile without states. Most of them fail, which does not affect the duration. */
async function runDredd(url: string): Promise<Run> {
  const args = [resolve("dredd/bin/dredd"), "generated/chat/openapi.dredd.yaml", url, "--loglevel=error"];
  const { milliseconds, value } = await timed(() => captureOutput(args));
  const [, ...counts] =
    /complete: (\d+) passing, (\d+) failing, (\d+) errors, (\d+) skipped/.exec(stripVTControlCharacters(value)) ?? [];
  return { milliseconds, count: counts.map(Number).reduce((sum, count) => sum + count, 0) };
}

async function runRespect(folder: string, url: string): Promise<Run> {
  // Copied, because the Redocly configuration of the checkout must not apply.
  await cp("generated/chat", join(folder, "chat"), { recursive: true });
  const names = (await readdir("generated/chat/behaviour")).filter((name) => name.endsWith(".yaml"));
  const files = names.map((name) => `chat/behaviour/${name}`);
  const servers = ["-S", `chat=${url}/api/v1`, "-S", `states=${url}`];
  const args = [resolve("@redocly/cli/bin/cli.js"), "respect", ...files, ...servers, "--json-output", "respect.json"];
  const { milliseconds } = await timed(() => captureOutput(args, folder));
  const { files: reports }: RespectReport = JSON.parse(await readFile(join(folder, "respect.json"), "utf8"));
  const count = Object.values(reports).reduce((sum, { executedWorkflows }) => sum + executedWorkflows.length, 0);
  return { milliseconds, count };
}

async function fetchSettings(url: string): Promise<Run> {
  const count = 1000;
  const { milliseconds } = await timed(async () => {
    for (let call = 0; call < count; call++) await (await fetch(url)).json();
  });
  return { milliseconds, count };
}
