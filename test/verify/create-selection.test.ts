import { describe, expect, it } from "vitest";
import type { ReportedShard } from "../../src/report/model/json-report.js";
import {
  checksBeyond,
  createSelection,
  reportedShard,
  type SelectionOptions,
} from "../../src/verify/create-selection.js";

const check = {
  id: "case editMessage/content_with_channel",
  operation: "editMessage",
  rules: ["messages.edit.content-with-stream", "errors.envelope"],
};

describe("createSelection", () => {
  it.each<[SelectionOptions, boolean]>([
    [{}, true],
    [{ only: [] }, true],
    [{ only: ["editMessage"] }, true],
    [{ only: ["edit"] }, true],
    [{ only: ["messages.edit"] }, true],
    [{ only: ["errors.envelope"] }, true],
    [{ only: ["case editMessage/content"] }, true],
    [{ only: ["case */content_with_channel"] }, true],
    [{ only: ["*with-stream"] }, true],
    [{ only: ["*envelope*"] }, true],
    [{ only: ["sendMessage", "editMessage"] }, true],
    [{ only: ["Message"] }, false],
    [{ only: ["case */nothing"] }, false],
    [{ only: ["messages.edit.content-with-stream.more"] }, false],
    [{ only: ["*stream*content"] }, false],
  ])("applies %j to the check: %s", (options, want) => {
    expect(createSelection(options, [check])(check)).toBe(want);
  });

  const checks = Array.from({ length: 500 }, (_, index) => ({
    ...check,
    id: `case operation${index % 7}/name_${index}`,
  }));
  const partsOf = (of: number, timings?: ReadonlyMap<string, number>) =>
    Array.from({ length: of }, (_, index) => {
      const shard = { index: index + 1, of, timings };
      return checks.filter(createSelection({ shard }, checks));
    });

  it.each([1, 2, 3, 7])("selects every check in exactly one of %i shards", (of) => {
    const parts = partsOf(of);
    expect(parts.flat().sort((a, b) => (a.id < b.id ? -1 : 1))).toEqual(
      [...checks].sort((a, b) => (a.id < b.id ? -1 : 1)),
    );
    for (const part of parts) expect(part.length).toBeGreaterThan(500 / of / 2);
  });

  it.each([1, 2, 3, 7])("makes %i shards of equal duration with timings, in any order of checks", (of) => {
    const timings = new Map(checks.slice(20).map(({ id }, index) => [id, 1 + (index % 90)]));
    const parts = partsOf(of, timings);
    expect(new Set(parts.flat()).size).toBe(500);
    expect(parts.flat()).toHaveLength(500);
    const durations = parts.map((part) => part.reduce((sum, { id }) => sum + (timings.get(id) ?? 45), 0));
    expect(Math.max(...durations) - Math.min(...durations)).toBeLessThan(100);
    const reversed = [...checks].reverse();
    const again = checks.filter(createSelection({ shard: { index: 1, of, timings } }, reversed));
    expect(again).toEqual(parts[0]);
  });
});

describe("reportedShard", () => {
  it.each<[SelectionOptions, ReportedShard | undefined]>([
    [{}, undefined],
    [{ shard: { index: 2, of: 3 } }, { index: 2, of: 3, checks: 2, restricted: false }],
    [
      { shard: { index: 2, of: 3 }, only: ["case a"] },
      { index: 2, of: 3, checks: 1, restricted: true },
    ],
  ])("describes %j", (options, want) => {
    const checks = ["case a", "case b"].map((id) => ({ ...check, id }));
    expect(reportedShard(options, checks)).toEqual(want);
  });
});

const operationsOf = {
  unsubscribe: { id: "unsubscribe", title: "DELETE /users/me/subscriptions" },
  getMessages: { id: "getMessages", title: "GET /messages" },
  getMessage: { id: "getMessage", title: "GET /messages/{message_id}" },
  previewImport: { id: "ProxySubscriptions/PreviewImport" },
  getNode: { id: "Mesh/GetNode" },
};
const calling = (id: string, ...names: (keyof typeof operationsOf)[]) => ({
  ...{ id, operation: "any", rules: [] },
  calls: names.map((name) => operationsOf[name]),
});
const callers = [
  calling("a", "unsubscribe"),
  calling("b", "getMessages"),
  calling("c", "unsubscribe", "getMessages"),
  calling("d", "getMessage", "getMessages"),
  calling("e", "previewImport"),
  calling("f", "getNode"),
  calling("g", "getMessages", "unsubscribe", "getMessage"),
  calling("h"),
];

describe("--operation", () => {
  it.each<[string[], string, ReturnType<typeof checksBeyond>]>([
    [[], "abcdefgh", undefined],
    [["DELETE /users/me/subscriptions"], "a", { checks: 2, operations: ["getMessages", "getMessage"] }],
    [["getMessages"], "b", { checks: 3, operations: ["unsubscribe", "getMessage"] }],
    [["GET /messages"], "b", { checks: 3, operations: ["unsubscribe", "getMessage"] }],
    [["getMessages", "unsubscribe"], "abc", { checks: 2, operations: ["getMessage"] }],
    [["getMessage*"], "bd", { checks: 2, operations: ["unsubscribe"] }],
    [["PreviewImport"], "e", undefined],
    [["ProxySubscriptions/*", "GetNode"], "ef", undefined],
    [["*"], "abcdefg", undefined],
  ])("%j selects the checks %s, and tells which others call these operations", (operations, want, beyond) => {
    expect(
      callers
        .filter(createSelection({ operations }, callers))
        .map(({ id }) => id)
        .join(""),
    ).toBe(want);
    expect(checksBeyond({ operations }, callers)).toEqual(beyond);
  });
});
