import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { newestLevel } from "../../../../generated/chat/request-levels.js";
import { loadContract } from "../../../../src/contract/chat/contract-file.js";
import { atFeatureLevel } from "../../../../src/contract/chat/level/at-feature-level.js";
import { casesAtLevel } from "../../../../src/contract/chat/level/cases-at-level.js";
import { listen } from "../../../../src/listen.js";
import { type RunDreddOptions, runDredd } from "../../../../src/verify/chat/dredd/run-dredd.js";
import type { Check } from "../../../../src/verify/check.js";
import { needing } from "../../../support/needing.js";
import { type OwnTemporaryFolder, useOwnTemporaryFolder } from "../../../support/own-temporary-folder.js";
import { sendEndlessBody } from "../endless-body.js";

const contract = atFeatureLevel(await loadContract(), newestLevel);
const cases = casesAtLevel(await loadContract(), newestLevel).filter(({ as }) => as === "nobody");
const root = fileURLToPath(new URL("../../../..", import.meta.url));

/** Starts a server that never completes a response. `requested` resolves with its first request. */
async function startHangingServer(isBodyBegun = false): Promise<{ url: string; requested: Promise<unknown> }> {
  const server = createServer((_, response) => {
    if (isBodyBegun) response.writeHead(401, { "Content-Type": "application/json" }).write("{");
  });
  const requested = once(server, "request");
  const { url, close } = await listen(server);
  onTestFinished(close);
  return { url, requested };
}

/** Installs a package as Dredd in the working directory. `code` runs instead of the cases. */
function installDredd({ path }: OwnTemporaryFolder, code: string): void {
  const folder = join(path, "node_modules/dredd");
  mkdirSync(join(folder, "bin"), { recursive: true });
  writeFileSync(join(folder, "bin/dredd"), "");
  writeFileSync(join(folder, "index.js"), `module.exports = class { run(done) { ${code}; done(); } };`);
  // Dredd depends on it.
  const gavel = join(path, "node_modules/gavel");
  mkdirSync(gavel);
  writeFileSync(join(gavel, "index.js"), "exports.default = { validate: () => ({ valid: true, fields: {} }) };");
  const before = process.cwd();
  process.chdir(path);
  onTestFinished(() => process.chdir(before));
}

/** Runs cases, at most until the end of the test. */
function run(
  some: typeof cases,
  options: Pick<RunDreddOptions, "url" | "jobs" | "timeoutMs">,
  abort = new AbortController(),
) {
  onTestFinished(() => abort.abort());
  return runDredd(some, { contract, level: newestLevel, signal: abort.signal, ...options });
}

function outcomes(checks: readonly Check[]): unknown[] {
  return checks.map(({ outcome }) => (outcome.kind === "errored" ? outcome.reason : outcome.kind));
}

// Each test starts one or two processes, which is slow on a busy machine.
describe("an interrupted run of cases", () => {
  it.each([
    ["during a response", true],
    ["before a response", false],
  ])("continues after a case that times out %s", async (_, isBodyBegun) => {
    const { url } = await startHangingServer(isBodyBegun);
    const checks = await run(cases.slice(0, 2), { url, timeoutMs: 300 });
    expect(outcomes(checks)).toEqual([
      expect.stringMatching(/^the server did not answer: no answer within \d+ ms$/),
      expect.stringMatching(/^the server did not answer: no answer within \d+ ms$/),
    ]);
  });

  it("continues after a response that never ends", async () => {
    const { url, close } = await listen(createServer((_, response) => sendEndlessBody(response)));
    onTestFinished(close);
    const checks = await run(cases.slice(0, 1), { url });
    expect(checks[0]?.outcome).toMatchObject({ kind: "failed", problems: ["the answer is larger than 4 MiB"] });
  });

  needing("ps").it("stops immediately when aborted, and leaves nothing behind", async () => {
    const folder = useOwnTemporaryFolder();
    const { url, requested } = await startHangingServer();
    const abort = new AbortController();
    const running = run(cases, { url }, abort);
    await requested;
    expect(folder.processes().length).toBeGreaterThan(0);
    abort.abort();
    expect(await running).toEqual([]);
    expect([folder.files(), folder.processes()]).toEqual([[], []]);
  });

  needing("ps").it("leaves nothing behind if its process is killed", async () => {
    const folder = useOwnTemporaryFolder();
    const { url, requested } = await startHangingServer();
    const script = `
      import { runDredd } from "${root}/src/verify/chat/dredd/run-dredd.ts";
      import { loadContract } from "${root}/src/contract/chat/contract-file.ts";
      import { listCases } from "${root}/src/contract/chat/cases.ts";
      const contract = await loadContract();
      const cases = listCases(contract).filter(({ as }) => as === "nobody");
      await runDredd(cases, { url: ${JSON.stringify(url)}, contract, level: ${newestLevel} });`;
    const parent = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "--eval", script], {
      cwd: root,
      stdio: "inherit",
    });
    onTestFinished(() => void parent.kill("SIGKILL"));
    await requested;
    parent.kill("SIGKILL");
    await expect.poll(() => [folder.files(), folder.processes()]).toEqual([[], []]);
  });

  it("reports that the hooks did not run", async () => {
    installDredd(useOwnTemporaryFolder(), `console.log("Skipping hook loading");`);
    const checks = await run(cases.slice(0, 2), { url: "http://127.0.0.1:1", jobs: 1 });
    const reason =
      "Dredd did not report this case: it ended with exit code 0 before the hooks of this package ran; it printed: Skipping hook loading";
    expect(outcomes(checks)).toEqual([reason, reason]);
  });

  it("names the case during which Dredd ended, and runs all others", async () => {
    const exitsEarly = `
      const { cases } = JSON.parse(require("fs").readFileSync(process.env.ACCORD_DREDD_PLAN));
      const keys = Object.keys(cases);
      const tell = (message) => new Promise((resolve) => process.send(message, resolve));
      (async () => {
        await tell({ kind: "hooks-ran" });
        for (const key of keys.filter((key) => !key.startsWith("editMessage"))) {
          await tell({ kind: "started", key });
          if (key.startsWith("getMessages")) process.exit(3);
          await tell({ kind: "result", key, result: { kind: "passed" }, durationMs: 1 });
        }
        process.exit(0);
      })();`;
    installDredd(useOwnTemporaryFolder(), exitsEarly);
    const operations = ["editMessage", "addDefaultChannel", "getMessages", "removeDefaultChannel"];
    const four = operations.flatMap((name) => cases.find(({ operationId }) => operationId === name) ?? []);
    const checks = await run(four, { url: "http://127.0.0.1:1", jobs: 1 });
    const reasons = outcomes(checks).map((outcome, index) => [checks[index]?.operation, outcome]);
    expect(Object.fromEntries(reasons)).toEqual({
      addDefaultChannel: "passed",
      getMessages: "Dredd did not report this case: it ended with exit code 3",
      removeDefaultChannel: "passed",
      editMessage: "Dredd did not report this case: it ended with exit code 0",
    });
  });
});
