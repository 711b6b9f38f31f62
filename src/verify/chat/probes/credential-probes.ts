import { makeProbe, refusalOf, successesOf } from "./listed-probes.js";
import type { Probe } from "./probe.js";
import type { ProbedOperation } from "./probed-operation.js";

/** Values of `Authorization` that belong to no user. */
const invalidCredentials: readonly (readonly [name: string, summary: string, authorization: string])[] = [
  [
    "unknown-user",
    "with the address and key of nobody",
    basic("stranger@stranger.invalid:no-key-of-any-user-0123456789"),
  ],
  ["no-base64", "with credentials that are no Base64", "Basic %%%"],
  ["no-key", "with an address without a key", basic("stranger@stranger.invalid")],
  ["other-scheme", "with credentials of another scheme", "Bearer no-key-of-any-user-0123456789"],
];

function basic(userAndKey: string): string {
  return `Basic ${Buffer.from(userAndKey).toString("base64")}`;
}

/**
 * Requests without valid credentials: with none, with malformed and unknown ones, with the wrong key of a user, with the key of a
 * deactivated one. An operation that needs no login may look at credentials or not.
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
  const wrong = "authentication.wrong-credentials";
  const missing = "authentication.no-credentials";
  const stateless = [
    makeProbe(operation, {
      name: "no-credentials",
      summary: "Sent without credentials",
      rules: [missing, `${operation.feature}.not-logged-in`],
      base,
      states: false,
      change: { kind: "authorization" },
      expectation: refusalOf(operation, missing),
    }),
    ...invalidCredentials.map(([name, how, authorization]) =>
      makeProbe(operation, {
        name,
        summary: `Sent ${how}`,
        rules: [wrong],
        base,
        states: false,
        change: { kind: "authorization", authorization },
        expectation: refusalOf(operation, wrong),
      }),
    ),
  ];
  if (success === undefined) return stateless;
  return [
    ...stateless,
    makeProbe(operation, {
      name: "wrong-key",
      summary: "Sent with the address of a user and a key that is not theirs",
      rules: [wrong],
      base: success,
      change: { kind: "wrong-key" },
      expectation: refusalOf(operation, wrong),
    }),
    // Which code a deactivated account gets is open.
    makeProbe(operation, {
      name: "deactivated-user",
      summary: "Sent by a user whose account was deactivated",
      base: success,
      change: { kind: "caller", caller: "deactivated" },
      expectation: { kind: "refused-some-way" },
    }),
  ];
}
