import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { findDredd } from "../src/verify/chat/dredd/dredd-process.js";
import { findHooks } from "../src/verify/chat/dredd/find-hooks.js";
import { type DreddMessage, statesVariable } from "../src/verify/chat/dredd/hooks-protocol.js";
import { requireStates } from "../src/verify/chat/server/prerequisites.js";
import { serverBaseUrl } from "../src/verify/chat/server/server-urls.js";

// Runs Dredd with this package's hooks and shows its output. Options after `--` are passed to Dredd.
const usage = "usage: npm run dredd -- <API URL, with /api/v1> [--states <url>] [-- <Dredd options>]";
const profile = fileURLToPath(new URL("../generated/chat/openapi.dredd.yaml", import.meta.url));

async function runDredd(url: string, states: string | undefined, extraArgs: readonly string[]): Promise<number> {
  const { hooks, imports } = findHooks();
  const child = spawn(
    process.execPath,
    [
      ...imports.flatMap((module) => ["--import", module]),
      ...[findDredd(), profile, url, `--hookfiles=${hooks}`, "--loglevel=warning", ...extraArgs],
    ],
    { env: { ...process.env, [statesVariable]: states }, stdio: ["ignore", "inherit", "inherit", "ipc"] },
  );
  let hooksRan = false;
  child.on("message", (message) => {
    hooksRan ||= (message as DreddMessage).kind === "hooks-ran";
  });
  const [code] = await once(child, "exit");
  if (hooksRan) return code ?? 1;
  process.stderr.write("The hooks did not run, so Dredd's results are invalid.\n");
  return 2;
}

try {
  const { values, positionals } = parseArgs({ options: { states: { type: "string" } }, allowPositionals: true });
  const [url, ...extraArgs] = positionals;
  if (url === undefined) throw new Error(usage);
  const apiUrl = `${serverBaseUrl(url)}/api/v1`;
  if (values.states !== undefined) await requireStates(values.states, {});
  process.exitCode = await runDredd(apiUrl, values.states, extraArgs);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
}
