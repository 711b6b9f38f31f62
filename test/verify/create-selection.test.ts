import { describe, expect, it } from "vitest";
import { createSelection, type SelectionOptions } from "../../src/verify/create-selection.js";

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
    expect(createSelection(options)(check)).toBe(want);
  });

  it("selects every check in exactly one shard", () => {
    const ids = Array.from({ length: 500 }, (_, index) => `case operation${index % 7}/name_${index}`);
    for (const of of [1, 2, 3, 7]) {
      const shards = Array.from({ length: of }, (_, index) => createSelection({ shard: { index: index + 1, of } }));
      const takers = ids.map((id) => shards.filter((takes) => takes({ ...check, id })).length);
      expect(new Set(takers)).toEqual(new Set([1]));
      for (const takes of shards)
        expect(ids.filter((id) => takes({ ...check, id })).length).toBeGreaterThan(500 / of / 2);
    }
  });
});
