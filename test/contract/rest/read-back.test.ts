import { describe, expect, it } from "vitest";
import { findChange } from "../../../src/contract/rest/read-back.js";

const compared = { compare: "/messages", except: ["avatar_url"] };
const read = (...messages: readonly object[]) => ({ result: "success", messages });

describe("findChange", () => {
  it("names the first field that changed", () => {
    const before = read({ id: 7, content: "At noon" }, { id: 8, content: "In May" });
    const after = read({ id: 7, content: "At noon" }, { id: 8, content: "In June" });
    expect(findChange(before, after, compared)).toEqual({
      pointer: "/messages/1/content",
      before: "In May",
      after: "In June",
    });
  });

  it("finds fields that are new or gone", () => {
    const [plain, moved] = [read({ id: 7 }), read({ id: 7, edit_history: [] })];
    expect(findChange(plain, moved, compared)?.pointer).toBe("/messages/0/edit_history");
    expect(findChange(moved, plain, compared)?.pointer).toBe("/messages/0/edit_history");
  });

  it("finds entries that are new or gone", () => {
    expect(findChange(read(), read({ id: 7 }), compared)?.pointer).toBe("/messages");
    expect(findChange(read({ id: 7 }), read(), compared)?.pointer).toBe("/messages");
  });

  it("ignores fields that may change by themselves, and the order of fields", () => {
    const [before, after] = [read({ id: 7, avatar_url: "/a?1" }), read({ avatar_url: "/a?2", id: 7 })];
    expect(findChange(before, after, compared)).toBeUndefined();
  });

  it("ignores responses without the list", () => {
    expect(findChange({ messages: "none" }, read({ id: 7 }), compared)).toBeUndefined();
    expect(findChange(undefined, read(), compared)).toBeUndefined();
  });
});
