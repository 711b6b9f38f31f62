import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { JsonReport } from "../../src/report/model/json-report.js";
import { startMuseum } from "../contracts/museum/server.js";
import { runInFolder, runInProcess } from "../support/run-in-process.js";

const museum = fileURLToPath(new URL("../contracts/museum", import.meta.url));
let folder = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "accord-merge-"));
  return () => rm(folder, { recursive: true });
});

/** The verdicts of the checks of a report, and the rules that they show. */
async function verdictsOf(file: string) {
  const { checks, rules }: JsonReport = JSON.parse(await readFile(file, "utf8"));
  return {
    checks: Object.fromEntries(checks.map(({ id, verdict }) => [id, verdict])),
    rules: Object.fromEntries(rules.map(({ id, state }) => [id, state])),
  };
}

describe("accord report merge", () => {
  it("joins the shards of a run of a contract of accord.yaml into what one run finds", async () => {
    const server = await startMuseum("list-any-token");
    onTestFinished(() => server.close());
    const verify = async (name: string, ...options: string[]) => {
      const json = join(folder, `${name}.json`);
      const args = ["verify", "museum", server.url, "--states", server.statesUrl, "--seed", "7", "--json", json];
      expect((await runInFolder(museum, ...args, ...options)).code).toBe(1);
      return json;
    };
    const whole = await verify("whole");
    const shards = [await verify("first", "--shard", "1/2"), await verify("second", "--shard", "2/2")];
    const merged = join(folder, "merged.json");
    const here = await runInFolder(museum, "report", "merge", ...shards, "--json", merged);
    const want = await verdictsOf(whole);

    expect(here.code).toBe(1);
    expect(want.rules["exhibits.list.rooms"]).toBe("not-exercised");
    expect(await verdictsOf(merged)).toEqual(want);
    const project = ["--project", join(museum, "accord.yaml")];
    await runInProcess("report", "merge", ...shards, ...project, "--json", merged);
    expect(await verdictsOf(merged)).toEqual(want);
    // Without the contract, nothing tells which operations the checks of the other shard rely on.
    const elsewhere = await runInFolder(folder, "report", "merge", ...shards);
    expect(elsewhere.code).toBe(2);
    expect(elsewhere.stderr).toContain("There is no contract museum: ");
    expect(elsewhere.stderr).toContain("name another with --project");
  });
});
