import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { parse } from "yaml";
import { type ChatReference, createChatReference } from "../../reference/chat/create-chat-reference.js";
import { fromJsonReport, readJsonReport } from "../../src/report/read-json-report.js";
import { needing } from "../support/needing.js";

const { describe } = needing("bash");

const root = fileURLToPath(new URL("../..", import.meta.url));
const guide = readFileSync(join(root, "docs/ci.md"), "utf8");
const matrix = parse(/<!-- example: matrix -->\n```yaml\n([\s\S]*?)\n```/.exec(guide)?.[1] ?? "").jobs;

let reference: ChatReference;
let folder = "";
beforeAll(async () => {
  reference = await createChatReference({ states: true });
  folder = mkdtempSync(join(tmpdir(), "accord-shards-"));
});
afterAll(async () => {
  await reference.close();
  rmSync(folder, { recursive: true });
});

/** Runs a step of a job in the folder, as the runner does, with few checks. */
async function runStep(step: { run: string }, shard?: number) {
  const script = step.run
    .replaceAll(/\$\{\{ matrix\.shard \}\}/g, String(shard))
    .replace("--seed", '--only "probe unsubscribe" --seed');
  const npx = `npx() { shift 2; "${process.execPath}" "${root}dist/reference/cli/main.js" "$@"; }`;
  const env = {
    ...process.env,
    API: `${reference.url}/api/v1`,
    STATES: reference.statesUrl,
    GITHUB_STEP_SUMMARY: join(folder, "summary.md"),
  };
  await promisify(execFile)("bash", ["-e", "-c", `${npx}\n${script}`], { cwd: folder, env });
}

describe("the matrix of docs/ci.md", () => {
  it("verifies in shards whose reports merge into one verdict", async () => {
    const { verify, verdict } = matrix;
    const [checking, joining] = [verify, verdict].map(({ steps }) =>
      steps.find(({ run = "" }: { run?: string }) => run.startsWith("npx --no-install accord")),
    );
    await Promise.all(verify.strategy.matrix.shard.map((shard: number) => runStep(checking, shard)));
    await runStep({ run: `${joining.run} --json merged.json` });
    const shards = await Promise.all([1, 2, 3, 4].map((shard) => readJsonReport(join(folder, `shard-${shard}.json`))));
    const merged = fromJsonReport(await readJsonReport(join(folder, "merged.json")));
    expect(merged.checks.map(({ id }) => id)).toEqual(
      shards.flatMap(({ checks }) => checks.map(({ id }) => id)).sort(),
    );
    expect(merged.serverVersion).toEqual(expect.any(String));
    expect(readFileSync(join(folder, "summary.md"), "utf8")).toMatch(/^## PASS: accord verify chat$/m);
    expect(readFileSync(join(folder, "report.html"), "utf8")).toContain("PASS");
  });
});
