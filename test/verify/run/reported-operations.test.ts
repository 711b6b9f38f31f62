import { describe, expect, it } from "vitest";
import type { ReportedOperation } from "../../../src/report/model/verify-report.js";
import type { Presence } from "../../../src/verify/run/presence.js";
import { joinOperations, reportedOperations } from "../../../src/verify/run/reported-operations.js";

describe("reportedOperations", () => {
  it("lists the operations whose presence is known, with the checks that call them", () => {
    const operations = ["first", "second", "third"].map((id) => ({ id, title: `GET /${id}`, rules: [`${id}.rule`] }));
    const presence = new Map<string, Presence>([
      ["second", { kind: "not-implemented", why: "status 501" }],
      ["first", { kind: "there" }],
    ]);
    const checks = [
      { id: "a", operation: "first", rules: [] },
      { id: "b", operation: "resource", rules: [], calls: [{ id: "second" }, { id: "first" }] },
      { id: "c", operation: "first", rules: [], calls: [] },
    ];
    expect(reportedOperations(operations, presence, checks, { hasSucceeded: (id) => id === "first" })).toEqual([
      {
        id: "first",
        title: "GET /first",
        presence: "there",
        succeeded: true,
        checks: ["a", "b"],
        rules: ["first.rule"],
      },
      {
        ...{ id: "second", title: "GET /second", presence: "not-implemented", why: "status 501" },
        ...{ succeeded: false, checks: ["b"], rules: ["second.rule"] },
      },
    ]);
  });
});

describe("joinOperations", () => {
  it("joins the checks of each operation, and keeps what one run knows", () => {
    const operation = (id: string, presence: ReportedOperation["presence"], ...checks: string[]) => {
      const why = presence === "not-implemented" ? { why: "status 501" } : {};
      return { id, title: id, presence, ...why, checks, rules: [] };
    };
    const runs = [
      [operation("a", "unknown", "1"), operation("b", "not-implemented", "2")],
      [operation("b", "unknown", "3"), operation("a", "there", "4"), operation("c", "there", "5")],
    ];
    expect(joinOperations(runs)).toEqual([
      operation("a", "there", "1", "4"),
      operation("b", "not-implemented", "2", "3"),
      operation("c", "there", "5"),
    ]);
  });
});
