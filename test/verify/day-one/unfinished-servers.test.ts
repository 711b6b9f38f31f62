import { describe, expect, it } from "vitest";
import { toJsonReport } from "../../../src/verify/model/to-json-report.js";
import { verifyChat } from "../../../src/verify.js";
import { hasThreeOperations, missingInWays, startUnfinishedServer } from "./unfinished-server.js";

const there = ["addDefaultChannel", "removeDefaultChannel", "muteUser"];

describe("a server with three operations", () => {
  it.each(Object.entries(missingInWays))("that answers %s to all others", async (_, missing) => {
    const { url, statesUrl } = await startUnfinishedServer(hasThreeOperations, missing);
    const report = await verifyChat({ url, statesUrl, level: 415, seed: 1, jobs: 2, timeoutMs: 300_000 });
    const { operations = [] } = report;
    expect(operations.filter(({ presence }) => presence === "there").map(({ id }) => id)).toEqual(there);
    expect(operations.filter(({ presence }) => presence === "not-implemented")).toHaveLength(operations.length - 3);

    const missingRules = new Set(operations.flatMap(({ presence, rules }) => (presence === "there" ? [] : rules)));
    const judged = toJsonReport(report).rules.filter(({ state }) => ["kept", "broken", "deviating"].includes(state));
    expect(judged.filter(({ id }) => missingRules.has(id)).map(({ id, state }) => `${id} ${state}`)).toEqual([]);
    expect(judged.filter(({ state }) => state !== "kept").map(({ id }) => id)).toEqual([]);
    expect(judged.map(({ id }) => id)).toContain("default-channels.add.administrators-only");
    const failed = report.checks.filter(({ outcome }) => outcome.kind === "failed" || outcome.kind === "errored");
    expect(failed.filter(({ kind }) => kind !== "operation").map(({ id, outcome }) => [id, outcome])).toEqual([]);
  });
});

describe("a server without a parameter of an operation", () => {
  it("does not keep rules about its refusals, which have another cause", async () => {
    const { url, statesUrl } = await startUnfinishedServer(
      () => true,
      () => {},
      (target) => target.replace(/([?&])message_ids=[^&]*/g, "$1"),
    );
    const only = ["messages.get."];
    const report = await verifyChat({ url, statesUrl, level: 415, seed: 1, jobs: 2, timeoutMs: 300_000, only });
    const states = new Map(toJsonReport(report).rules.map(({ id, state }) => [id, state]));
    const about = [...states].filter(([id]) => id.startsWith("messages.get.message-ids"));
    expect(about.length).toBeGreaterThan(4);
    expect(about.filter(([, state]) => state === "kept")).toEqual([]);
    expect(states.get("messages.get.anchor-id")).toBe("kept");
  });
});
