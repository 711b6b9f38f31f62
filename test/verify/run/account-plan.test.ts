import { describe, expect, it } from "vitest";
import { newestLevel } from "../../../generated/chat/request-levels.js";
import { chatAtLevel } from "../../../src/chat/verify.js";
import { callsOf } from "../../../src/contract/calls.js";
import type { CallStep, Check } from "../../../src/contract/check.js";
import { type AccountPlan, inAnyOrganization, whyNotWithAccounts } from "../../../src/verify/run/account-plan.js";

const { checks, probes, operations } = await chatAtLevel(newestLevel);
const callers = new Set(["owner", "administrator", "moderator", "member", "other", "guest", "bot", "deactivated"]);
const about = { plain: "member", base: "organization", nameField: "email", accountForm: "EMAIL:KEY" };
const cautious: AccountPlan = { ...about, callers, allowsWrites: false, refusesOutsiders: true, operations };

function allowedBy(plan: AccountPlan): Check[] {
  return [...checks, ...probes]
    .map((check) => inAnyOrganization(check, plan))
    .filter((check) => whyNotWithAccounts(check, plan) === undefined);
}

function writesIn(allowed: readonly Check[]): { readonly id: string; readonly call: CallStep }[] {
  return allowed.flatMap((check) =>
    callsOf(check)
      .filter(({ call, sent, request }) => {
        const method = sent?.method ?? request?.method ?? operations.get(call ?? "")?.method;
        return method !== "GET" && method !== "HEAD";
      })
      .map((call) => ({ id: check.id, call })),
  );
}

describe("whyNotWithAccounts, without writes", () => {
  const writes = writesIn(allowedBy(cautious));

  it("allows reads, and requests that must be refused", () => {
    expect(allowedBy(cautious).length).toBeGreaterThan(250);
    expect(writes.length).toBeGreaterThan(100);
    for (const { id, call } of writes) expect([400, 401, 412, "4XX"], id).toContain(call.expect.status);
  });

  it("allows no account a write that is complete", () => {
    const own = writes.filter(({ call: { as } }) => typeof as === "string" && callers.has(as));
    expect(own.length).toBeGreaterThan(0);
    for (const { id, call } of own) {
      const needed = operations.get(call.call ?? "")?.parameters.filter(({ required }) => required) ?? [];
      const isLacking = ({ name }: { readonly name: string }) => {
        const value = call.with[name];
        const isOmitted = value === undefined || call.written?.[name] === "omitted";
        return isOmitted || JSON.stringify(value).includes("no-such-value");
      };
      const places = needed.filter(({ place }) => place === "path");
      expect(needed.length, id).toBeGreaterThan(0);
      expect(places.some(isLacking) || needed.every(isLacking), id).toBe(true);
    }
  });

  it("allows no write to callers without an account if the server accepts such callers", () => {
    const left = writesIn(allowedBy({ ...cautious, refusesOutsiders: false }));
    expect(left.filter(({ call: { as } }) => as === "nobody" || as === "stranger")).toEqual([]);
  });

  it("never sends a wrong key with the address of an account", () => {
    const keys = allowedBy({ ...cautious, allowsWrites: true }).flatMap(({ steps }) =>
      steps.flatMap((step) => (step.kind === "call" && typeof step.as === "object" ? (step.as.email ?? []) : [])),
    );
    expect(keys.filter((email) => email.startsWith("$"))).toEqual([]);
  });
});

it("whyNotWithAccounts, with writes, allows what leaves nothing or must be refused, and no complete request to delete", () => {
  const plan = { ...cautious, allowsWrites: true };
  const allowed = allowedBy(plan);
  expect(allowed.map(({ id }) => id)).toContain("workflow uploads-tus-create");
  const harmless = new Set(allowedBy(cautious).map(({ id }) => id));
  const added = allowed.filter(({ id, leavesNothing }) => !harmless.has(id) && !leavesNothing);
  for (const { id, call } of writesIn(added)) {
    expect([400, 401, 412, "4XX"], id).toContain(call.expect.status);
    if (typeof call.as === "string" && callers.has(call.as))
      expect(operations.get(call.call ?? "")?.method, id).not.toBe("DELETE");
  }
});

it.each([
  ["case muteUser/member", "it needs the user_id of other: give --states"],
  ["case createProfileField/by_guest", "it could change something: give --allow-writes"],
  ["case createProfileField/date_picker", "it changes something: give --states"],
  ["probe addIosDeviceToken/wrong-key", "it could lock an account: give --states"],
  ["case deleteAttachment/linked_file", "it needs provider states: give --states"],
])("whyNotWithAccounts says what %s needs", (id, want) => {
  const check = [...checks, ...probes].find((one) => one.id === id);
  expect(check && whyNotWithAccounts(check, cautious)).toBe(want);
});

it("whyNotWithAccounts names a missing account", () => {
  const check = checks.find(({ id }) => id === "case createProfileField/date_picker");
  expect(check && whyNotWithAccounts(check, { ...cautious, callers: new Set(["member"]) })).toBe(
    "it needs an account of administrator: give --account administrator=EMAIL:KEY",
  );
});
