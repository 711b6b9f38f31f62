import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { loadContract } from "../../../../src/chat/contract.js";
import { createClientJudge } from "../../../../src/traffic/rest/clients/create-client-judge.js";
import { propertyRuns, propertySeed } from "../../../support/property-seed.js";
import { type Call, exchanges } from "./exchanges.js";
import { plantedMistakes } from "./planted-mistakes.js";

const contract = await loadContract();
const range = { anchor: "newest", num_before: 50, num_after: 0 };

describe("createClientJudge", () => {
  it("lists every rule of clients of the level, and only those", () => {
    const ids = (level: number) => createClientJudge(contract, level).rules.map(({ id }) => id);
    expect(ids(415)).toContain("push.register.key-pair");
    expect(ids(405)).not.toContain("push.register.key-pair");
    expect(ids(333)).toContain("messages.edit.client-empty-topic");
    expect(ids(334)).not.toContain("messages.edit.client-empty-topic");
  });

  it("does not count an exchange that could not have broken the rule", () => {
    const judge = createClientJudge(contract, 415);
    const settings: Call = ["getServerSettings", {}, { answer: { service_feature_level: 415 } }];
    for (const exchange of exchanges([settings, ["getMessages", range]])) judge.observe(exchange);
    const kept = new Map(judge.checks().map(({ rules: [id], summary }) => [id, summary]));
    expect(kept.get("versioning.client-compares")).toBeUndefined();
    expect(kept.get("messages.get.client-range")).toBe("1 exchanges could have broken it.");
  });

  it("says that the client's own tests show whether it tolerates a changed response", () => {
    const judge = createClientJudge(contract, 415);
    for (const exchange of exchanges([["getMessages", range]]))
      judge.observe({ ...exchange, recorded: { ...exchange.recorded, provoked: ["unknown-fields"] } });
    const skipped = judge.checks().filter(({ outcome }) => outcome.kind === "skipped");
    expect(skipped.flatMap(({ rules }) => rules)).toContain("conventions.client-error-fields");
    expect(skipped.flatMap(({ rules }) => rules)).not.toContain("errors.client-unknown-code");
    const reason = expect.stringContaining("1 responses were changed (unknown-fields); the client's own tests show");
    expect(skipped[0]?.outcome).toEqual({ kind: "skipped", reason });
  });
});

describe("the problem of a finding", () => {
  it.each([
    [
      "half a range",
      "A client sends `num_before` and `num_after` unless it sends `message_ids`. The request lacks `num_after`.",
    ],
    ["two anchors", "A client sends either `anchor` or `use_first_unread_anchor`. The request has `anchor`."],
    [
      "a range of more messages than allowed",
      "A client asks for at most 5000 messages in one request. The value of `num_before` is 5001.",
    ],
    [
      "a parameter that the level lacks",
      "A client uses only features that exist at the `service_feature_level` that it read. The value of the level that it needs is 300. The earlier level is 299.",
    ],
    [
      "a repeat a little too early after a 429",
      "A client that got status 429 or 503 with `Retry-After` retries the request only after that time. The request starts 1050 ms too early.",
    ],
  ])("says what is wrong: %s", (name, problem) => {
    const calls = plantedMistakes.find((mistake) => mistake.name === name)?.calls ?? [];
    const level = plantedMistakes.find((mistake) => mistake.name === name)?.level ?? 415;
    const judge = createClientJudge(contract, level);
    expect(exchanges(calls).flatMap((exchange) => judge.observe(exchange))).toMatchObject([{ problem }]);
  });

  it("contains no text that the client sends or receives", () => {
    for (const { calls, level = 415 } of plantedMistakes) {
      const judge = createClientJudge(contract, level);
      for (const exchange of exchanges(calls)) {
        const texts = Object.values(exchange.parameters).filter(
          (value) => typeof value === "string" && value.length > 12,
        );
        for (const { problem } of judge.observe(exchange))
          for (const text of texts) expect(problem).not.toContain(text);
      }
    }
  });
});

describe("a client with several users at once", () => {
  /** The overlapping steps of well-behaved clients of several users. */
  const step = fc.record({
    user: fc.constantFrom("iago", "hamlet", "aaron"),
    what: fc.constantFrom("read", "edit", "mute", "limited", "settings"),
    pause: fc.integer({ min: 0, max: 3000 }),
    took: fc.integer({ min: 0, max: 4000 }),
    id: fc.integer({ min: 1, max: 5 }),
  });

  it("stays clean, whatever the order of its requests", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const free = new Map<string, number>();
        let clock = 10;
        const calls = steps.flatMap(({ user, what, pause, took, id }): Call[] => {
          clock += pause / 1000;
          const mute = `${user} ${id}`;
          const timing = { as: user, took: took / 1000 };
          if (what === "settings") {
            return [["getServerSettings", {}, { ...timing, at: clock, answer: { service_feature_level: 200 } }]];
          }
          if (what === "read") {
            return [["getMessages", { ...range, num_before: id }, { ...timing, at: clock, answer: { messages: [] } }]];
          }
          if (what === "edit") {
            const edit = { message_id: id, topic: "castle", send_notification_to_new_thread: false };
            return [["editMessage", edit, { ...timing, at: clock }]];
          }
          // A user repeats the request only after the wait.
          const at = Math.max(clock, free.get(mute) ?? 0);
          if (what === "mute") return [["muteUser", { muted_user_id: id }, { ...timing, at }]];
          free.set(mute, at + took / 1000 + 7);
          const refused = { status: 429, answer: { code: "RATE_LIMIT_HIT" }, responseHeaders: { "retry-after": "7" } };
          return [["muteUser", { muted_user_id: id }, { ...timing, ...refused, at }]];
        });
        const judge = createClientJudge(contract, 200);
        const all = exchanges([["getServerSettings", {}, { at: 0, answer: { service_feature_level: 200 } }], ...calls]);
        expect(all.flatMap((exchange) => judge.observe(exchange))).toEqual([]);
      }),
      { numRuns: propertyRuns(100), seed: propertySeed },
    );
  });
});
