import { describe, expect, it } from "vitest";
import { CouldNotRunError } from "../../../src/base/could-not-run-error.js";
import { loadDaemonCases } from "../../../src/daemon/daemon-contract.js";
import { exitCode } from "../../../src/report/model/to-json-report.js";
import { ids, useReference } from "./verify-example.js";

const { cases } = await loadDaemonCases();
const { verify } = useReference();

describe("the selection of verifyDaemon", () => {
  it.each([
    ["a case", ["case redact-path-on-apply"], (name: string) => name === "redact-path-on-apply"],
    ["the beginning of cases", ["case select-"], (name: string) => name.startsWith("select-")],
    [
      "an RPC",
      ["MeshControlService/LoginCancel"],
      (name: string) => /^(login-cancel|cancel-without-login)$/.test(name),
    ],
    ["several", ["case login-", "case select-nothing"], (name: string) => /^(login-cancel|select-nothing)$/.test(name)],
    ["a star", ["case *-unknown-network"], (name: string) => name.endsWith("-unknown-network")],
    ["a rule", ["login-cancel.returns-empty"], (name: string) => name === "login-cancel"],
  ])("accepts %s", async (_, only, isMeant) => {
    const report = await verify({ only });
    const run = ids(report).filter((id) => !id.startsWith("operation "));
    expect(run).toEqual(cases.flatMap(({ name }) => (isMeant(name) ? [`case ${name}`] : [])).sort());
    expect(report.partial).toBe(true);
    expect(exitCode(report)).toBe(0);
  });

  it("includes cases with another main rule when it selects by a rule", async () => {
    const report = await verify({ only: ["select-node.takes-id"] });
    expect(ids(report)).toEqual(["case select-after-other-import", "case select-second-node"]);
  });

  it("rejects a name that matches nothing, even if another name matches", async () => {
    const error = verify({ only: ["select-node", "redact-path"] });
    await expect(error).rejects.toThrow(CouldNotRunError);
    await expect(error).rejects.toThrow(/begins with `redact-path`\. Similar: `case redact-path`/);
  });

  it("rejects an empty shard and an invalid one", async () => {
    await expect(verify({ shard: { index: 3, of: 2 } })).rejects.toThrow("shard.index must be an integer from 1 to 2");
    await expect(verify({ only: ["case login-cancel"], shard: { index: 1, of: 200 } })).rejects.toThrow(
      "Part 1 of 200 has no check, because there is only 1 check",
    );
  });

  it("splits a run into shards that are complete and disjoint", async () => {
    const only = ["case select-", "case apply-", "case redact-path", "case redact-query"];
    const whole = await verify({ only });
    const parts = await Promise.all([1, 2, 3].map((index) => verify({ only, shard: { index, of: 3 } })));
    expect(parts.flatMap(ids).sort()).toEqual(ids(whole));
    expect(parts.every(({ checks, partial }) => checks.length > 0 && partial)).toBe(true);
  });
});
