import { describe, expect, it } from "vitest";
import { newestLevel } from "../../../generated/chat/request-levels.js";
import { chatAtLevel } from "../../../src/chat/chat-at-level.js";
import { callsOf, expectedOf } from "../../../src/contract/calls.js";
import type { CallStep, Check } from "../../../src/contract/check.js";
import { type Degree, includesDegree } from "../../../src/report/model/degree.js";
import { type AccountPlan, inAnyOrganization, whyNotWithAccounts } from "../../../src/verify/run/account-plan.js";
import { degreeOf } from "../../../src/verify/run/permission.js";

const { checks, probes, operations } = await chatAtLevel(newestLevel);
const callers = new Set(["owner", "administrator", "moderator", "member", "other", "guest", "bot", "deactivated"]);
const about = { plain: "member", base: "organization", nameField: "email", accountForm: "EMAIL:KEY" };
const plan: AccountPlan = { ...about, callers, operations };

function allowedIn(degree: Degree, refusesOutsiders = true): Check[] {
  return [...checks, ...probes]
    .map((check) => inAnyOrganization(check, plan))
    .filter((check) => whyNotWithAccounts(check, plan) === undefined)
    .filter((check) => includesDegree(degree, degreeOf(check, { operations, refusesOutsiders })));
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

describe("the checks that accounts of a real organization can run", () => {
  it("only read in the degree `reads`", () => {
    const allowed = allowedIn("reads");
    expect(allowed.length).toBeGreaterThan(100);
    expect(writesIn(allowed)).toEqual([]);
  });

  it("write in the degree `undone` only what they undo, or what no reading of the request could carry out", () => {
    const allowed = allowedIn("undone");
    expect(allowed.map(({ id }) => id)).toContain("workflow uploads-tus-create");
    const writes = writesIn(allowed.filter(({ leavesNothing }) => !leavesNothing));
    expect(writes.length).toBeGreaterThan(50);
    for (const { id, call } of writes) {
      expect([400, 401, 412, "4XX"], id).toContain(expectedOf(call).status);
      const operation = operations.get(call.call ?? "");
      const fields = operation?.parameters.filter(({ place }) => place === "body") ?? [];
      const isBodiless = fields.every(
        ({ name }) => call.with[name] === undefined || call.written?.[name] === "omitted",
      );
      const isOutsider = typeof call.as !== "string" || !callers.has(call.as);
      expect(isOutsider || (operation?.requiresBody === true && isBodiless), id).toBe(true);
    }
  });

  it("call as nobody for a write only if the server refuses outsiders", () => {
    const left = writesIn(allowedIn("undone", false).filter(({ leavesNothing }) => !leavesNothing));
    for (const { id, call } of left) expect(operations.get(call.call ?? "")?.requiresBody, id).toBe(true);
  });

  it("never send a wrong key with the address of an account", () => {
    const keys = allowedIn("everything").flatMap(({ steps }) =>
      steps.flatMap((step) => (step.kind === "call" && typeof step.as === "object" ? (step.as.email ?? []) : [])),
    );
    expect(keys.filter((email) => email.startsWith("$"))).toEqual([]);
  });
});

it.each([
  ["case muteUser/member", "it needs the user_id of other: give --states"],
  ["probe addIosDeviceToken/wrong-key", "it could lock an account: give --states"],
  ["case deleteAttachment/linked_file", "it needs provider states: give --states"],
])("whyNotWithAccounts says what %s needs", (id, want) => {
  const check = [...checks, ...probes].find((one) => one.id === id);
  expect(check && whyNotWithAccounts(check, plan)).toBe(want);
});

it("whyNotWithAccounts names a missing account", () => {
  const check = checks.find(({ id }) => id === "case createProfileField/date_picker");
  expect(check && whyNotWithAccounts(check, { ...plan, callers: new Set(["member"]) })).toBe(
    "it needs an account of administrator: give --account administrator=EMAIL:KEY",
  );
});
