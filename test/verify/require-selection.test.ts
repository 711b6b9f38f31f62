import { describe, expect, it } from "vitest";
import { CouldNotRunError } from "../../src/base/could-not-run-error.js";
import { requireSelection, type SelectionOptions } from "../../src/verify/create-selection.js";

const checks = ["redact-path", "redact-query", "select-nothing"].map((name) => ({
  id: `case ${name}`,
  operation: "ProxySubscriptions/PreviewImport",
  rules: [`redaction.${name}`],
}));

describe("requireSelection", () => {
  it.each<[SelectionOptions]>([
    [{}],
    [{ only: [] }],
    [{ only: ["case redact-"] }],
    [{ only: ["case redact-path", "ProxySubscriptions", "redaction.select"] }],
    [{ only: ["*-nothing"] }],
    [{ shard: { index: 1, of: 1 } }],
  ])("accepts %j", (options) => {
    expect(() => requireSelection(options, checks)).not.toThrow();
  });

  it("lists each name that matches nothing, with similar names", () => {
    const only = ["nothing-at-all-like-it", "case redact-", "redact-path"];
    expect(() => requireSelection({ only }, checks)).toThrow(
      new CouldNotRunError(
        "No check, rule or operation has a name that begins with `nothing-at-all-like-it`\n" +
          "No check, rule or operation has a name that begins with `redact-path`. Similar: `case redact-path`, `redaction.redact-path`",
      ),
    );
  });

  it.each(["", " "])("rejects an empty name, which would match every check: %j", (name) => {
    expect(() => requireSelection({ only: ["case redact-", name] }, checks)).toThrow(CouldNotRunError);
  });

  it("distinguishes an empty shard from a name without checks", () => {
    const parts = Array.from({ length: 200 }, (_, index) => () => {
      requireSelection({ only: ["case redact-"], shard: { index: index + 1, of: 200 } }, checks);
    });
    const messages = parts.flatMap((part) => {
      try {
        part();
        return [];
      } catch (error) {
        return [`${error}`];
      }
    });
    expect(messages).toHaveLength(198);
    expect(messages.at(-1)).toBe(
      "CouldNotRunError: Part 200 of 200 has no check, because there are only 2 checks. Make fewer parts",
    );
  });
});
