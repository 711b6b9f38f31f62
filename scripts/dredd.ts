import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { statesVariable } from "../src/verify/chat/dredd/dredd-plan.js";
import type { DreddMessage } from "../src/verify/chat/dredd/dredd-result.js";
import { findDredd, findHooks } from "../src/verify/chat/dredd/find-dredd.js";
import { requireStates } from "../src/verify/chat/require-states.js";
import { serverOrigin } from "../src/verify/chat/server-origin.js";

// Runs Dredd by hand with the hooks of this package and shows what it prints. It gets further options of its own after `--`.
const usage = "usage: npm run dredd -- <url of the API, with /api/v1> [--states <url>] [-- <options of Dredd>]";
const profile = fileURLToPath(new URL("../generated/chat/openapi.dredd.yaml", import.meta.url));

async function runByHand(url: string, states: string | undefined, further: readonly string[]): Promise<number> {
  const { hooks, imports } = findHooks();
  const child = spawn(
    process.execPath,
    [
      ...imports.flatMap((module) => ["--import", module]),
      ...[findDredd(), profile, url, `--hookfiles=${hooks}`, "--loglevel=warning", ...further],
    ],
    { env: { ...process.env, [statesVariable]: states }, stdio: ["ignore", "inherit", "inherit", "ipc"] },
  );
  let hooksRan = false;
  child.on("message", (message) => {
    hooksRan ||= (message as DreddMessage).kind === "hooks-ran";
  });
  const [code] = await once(child, "exit");
  if (hooksRan) return code ?? 1;
  process.stderr.write("The hooks did not run, so what Dredd says means nothing.\n");
  return 2;
}

try {
  const { values, positionals } = parseArgs({ options: { states: { type: "string" } }, allowPositionals: true });
  const [url, ...further] = positionals;
  if (url === undefined) throw new Error(usage);
  const apiUrl = `${serverOrigin(url)}/api/v1`;
  if (values.states !== undefined) await requireStates(values.states, {});
  process.exitCode = await runByHand(apiUrl, values.states, further);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
}
