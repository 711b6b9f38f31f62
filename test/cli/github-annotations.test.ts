import { expect, it } from "vitest";
import { formatAnnotations, withoutCommands } from "../../src/cli/github-annotations.js";
import { failing, sampleCheck, smallReport } from "../report/sample-report.js";

it("annotates broken rules as errors, in one line each", () => {
  const outcome = { ...failing, problems: ["100% wrong\n::error::injected"] };
  const report = smallReport({ checks: [sampleCheck({ outcome })] });
  expect(formatAnnotations(report)).toBe(
    "::error title=messages.edit.content::The content can be changed. case editMessage/content: 100%25 wrong ::error::injected\n",
  );
});

it("annotates recommendations that are not followed as warnings", () => {
  const rules = [{ id: "users.order", text: "In order.", resource: "users", strength: "should" }] as const;
  const outcome = { kind: "deviated", problems: ["not in order"], broken: ["users.order"], trace: [] } as const;
  const report = smallReport({ rules, checks: [sampleCheck({ rules: ["users.order"], outcome })] });
  expect(formatAnnotations(report)).toMatch(/^::warning title=users\.order::In order\. .*not in order\n$/);
});

it("keeps GitHub from executing commands in output of a server", () => {
  const [first = "", ...rest] = withoutCommands("a\n::set-env name=x::y\n").split("\n");
  const token = /^::stop-commands::([0-9a-f-]{36})$/.exec(first)?.[1];
  expect(token).toBeDefined();
  expect(rest.at(-2)).toBe(`::${token}::`);
});
