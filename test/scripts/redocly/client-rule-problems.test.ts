import { describe, expect, it } from "vitest";
import type { Rule } from "../../../src/contract/rest/rule.js";
import { createClientRuleCheck } from "../../../src/lint/rest/client-rule-problems.js";

const check = createClientRuleCheck();
const operations = new Map([["unsubscribe", ["subscriptions", "principals"]]]);
const rule = { id: "subscriptions.remove.x", party: "client", text: "A sentence.", source: "Unsubscribe" };
const sent = { operation: "unsubscribe", sends: ["principals"] };
const problems = (keys: object) => check({ ...rule, ...keys } as unknown as Rule, operations).join("\n");

describe("createClientRuleCheck", () => {
  it.each([
    { seen: { when: sent, expect: { parameters: { principals: { not: { includes: { type: "string" } } } } } } },
    {
      seen: {
        after: { each: "/ids", remember: { id: "entry" } },
        expect: { numbers: { includes: "$id" } },
      },
    },
    { seen: { first: sent, when: { level: { above: 0 } } }, strain: "older-level" },
    { untestable: "Only the user interface shows it." },
    { party: undefined },
  ])("accepts %j", (keys) => {
    expect(problems(keys)).toBe("");
  });

  it.each([
    [{}, "say in `seen` how traffic shows it, name a `strain`, or give the reason in `untestable`."],
    [{ party: undefined, strain: "rate-limit" }, "`seen` and `strain` are for rules about clients"],
    [{ party: "robot", strain: "rate-limit" }, "party must be equal to constant"],
    [{ strain: "bad-weather" }, "strain must be one of large-ids"],
    [{ strain: "rate-limit", untestable: "Nobody sees it." }, "`untestable` contradicts `seen` and `strain`"],
    [{ strain: "rate-limit", "fixes-status": true }, "`fixes-status` is for rules about servers"],
    [{ seen: { when: sent } }, "seen needs the key `expect`"],
    [{ seen: { when: sent, expect: { colour: "blue" } } }, "seen.expect has an unknown key `colour`"],
    [{ seen: { when: sent, expect: { bytes: { over: 1 } } } }, "seen.expect.bytes has an unknown key `over`"],
    [{ seen: { when: sent, expect: { target: { matches: "(" } } } }, "Invalid regular expression"],
    [{ seen: { when: sent, expect: { bytes: { above: "1" } } } }, "which does not match"],
    [{ seen: { when: { operation: "unsubscribes" }, expect: { bytes: 1 } } }, "did you mean `unsubscribe`?"],
    [
      { seen: { when: { ...sent, omits: ["subscription"] }, expect: { bytes: 1 } } },
      "there is no parameter `subscription`; did you mean `subscriptions`?",
    ],
    [
      { seen: { after: { remember: { user: "caller" } }, expect: { target: { contains: "/{$users}" } } } },
      "nothing remembers `users`; did you mean `user`?",
    ],
    [
      { seen: { after: { remember: { user: "callers" } }, expect: { caller: "$user" } } },
      "`callers` names no place of an exchange.",
    ],
  ])("reports %j", (keys, problem) => {
    expect(problems(keys)).toContain(problem);
  });

  it.each(["parameters-topic", "parameters.", "parameters/topic", "answer-url", "answer.url", "entry.id"])(
    "reports the place %s",
    (place) => {
      const seen = { after: { remember: { value: place } }, expect: { caller: "$value" } };
      expect(problems({ seen })).toContain(`\`${place}\` names no place of an exchange.`);
    },
  );
});
