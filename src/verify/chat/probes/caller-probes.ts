import type { Rule } from "../../../contract/chat/rule.js";
import { expectedRefusal, makeProbe, type Probe, rulesShownBy, successesOf } from "./probe.js";
import type { ProbedOperation } from "./probed-operation.js";

/** Invalid values of the header `Authorization`. */
const invalidCredentials: readonly (readonly [name: string, summary: string, authorization: string])[] = [
  [
    "unknown-user",
    "with the address and key of an unknown user",
    basic("stranger@stranger.invalid:no-key-of-any-user-0123456789"),
  ],
  ["no-base64", "with credentials that are not base64", "Basic %%%"],
  ["no-key", "with an address without a key", basic("stranger@stranger.invalid")],
  ["other-scheme", "with credentials of another scheme", "Bearer no-key-of-any-user-0123456789"],
];

function basic(userAndKey: string): string {
  return `Basic ${Buffer.from(userAndKey).toString("base64")}`;
}

/**
 * Lists requests without valid credentials: none, malformed and unknown ones, a user's address with a wrong key, and the key of a
 * deactivated user. An operation without login may check credentials or not.
 */
export function credentialProbes(operation: ProbedOperation): Probe[] {
  const [success] = successesOf(operation);
  const base = success ?? operation.cases[0];
  if (base === undefined) return [];
  if (!operation.needsLogin) {
    return invalidCredentials.map(([name, how, authorization]) =>
      makeProbe(operation, {
        name,
        summary: `Sent ${how}`,
        base,
        change: { kind: "authorization", authorization },
        expectation: { kind: "any" },
      }),
    );
  }
  const missing = rulesShownBy(operation, "no-credentials");
  const wrong = rulesShownBy(operation, "wrong-credentials");
  const stateless = [
    makeProbe(operation, {
      name: "no-credentials",
      summary: "Sent without credentials",
      rules: missing,
      base,
      states: false,
      change: { kind: "authorization" },
      expectation: expectedRefusal(operation, missing),
    }),
    ...invalidCredentials.map(([name, how, authorization]) =>
      makeProbe(operation, {
        name,
        summary: `Sent ${how}`,
        rules: wrong,
        base,
        states: false,
        change: { kind: "authorization", authorization },
        expectation: expectedRefusal(operation, wrong),
      }),
    ),
  ];
  if (success === undefined) return stateless;
  return [
    ...stateless,
    makeProbe(operation, {
      name: "wrong-key",
      summary: "Sent with the address of a user and a key that is not theirs",
      rules: wrong,
      base: success,
      change: { kind: "wrong-key" },
      expectation: expectedRefusal(operation, wrong),
    }),
    // The contract leaves open which code a deactivated account gets.
    makeProbe(operation, {
      name: "deactivated-user",
      summary: "Sent by a user whose account was deactivated",
      rules: rulesShownBy(operation, "deactivated-account"),
      base: success,
      change: { kind: "caller", caller: "deactivated" },
      expectation: { kind: "refused-some-way" },
    }),
  ];
}

/** Callers of the provider states (`x-callers`), most powerful first; each has the roles of those after it. */
const callersByRole: readonly string[] = ["owner", "administrator", "moderator", "member", "guest", "bot"];

/** Lists the requests of callers who lack the role that a rule of the operation requires. */
export function roleProbes(operation: ProbedOperation): Probe[] {
  return operation.rules.flatMap((rule) => probesWithoutRole(operation, rule));
}

function probesWithoutRole(operation: ProbedOperation, { id, "shown-by": shownBy }: Rule): Probe[] {
  if (shownBy?.kind !== "missing-role") return [];
  const { role, allows } = shownBy;
  const rank = callersByRole.indexOf(role);
  if (rank === -1) throw new Error(`Rule ${id}: ${role} is not a role; use one of ${callersByRole.join(", ")}`);
  const base = successesOf(operation).find(
    (one) => callersByRole.slice(0, rank + 1).includes(one.as) && (allows === undefined || one.rule === allows),
  );
  if (base === undefined) return [];
  const action = allows === undefined ? "" : `${allows.slice(operation.feature.length + 1)}-`;
  return callersByRole.slice(rank + 1).map((caller) =>
    makeProbe(operation, {
      name: `${action}by-${caller}`,
      summary: `Sent by ${caller}, who lacks the required role`,
      rules: [id],
      base,
      change: { kind: "caller", caller },
      expectation: expectedRefusal(operation, [id]),
    }),
  );
}
