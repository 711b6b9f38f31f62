import type { Check } from "../../contract/check.js";
import type { Rule } from "../../contract/rest/rule.js";
import type { CaseContext } from "../rest/case-checks.js";
import { anyResponse, expectedRefusal, probe, refusedSomeWay, rulesShownBy, successesOf } from "./probe.js";
import type { ProbedOperation } from "./probed-operation.js";

/** Invalid values of the header `Authorization`. */
const invalidCredentials: readonly (readonly [name: string, summary: string, authorization: string])[] = [
  ["no-base64", "with credentials that are not base64", "Basic %%%"],
  ["no-key", "with an address without a key", `Basic ${Buffer.from("stranger@stranger.invalid").toString("base64")}`],
  ["other-scheme", "with credentials of another scheme", "Bearer no-key-of-any-user-0123456789"],
];

/**
 * Lists requests without valid credentials: none, malformed and unknown ones, a user's address with a wrong key, and the key of a
 * deactivated user. An operation without login may check credentials or not.
 */
export function credentialProbes(operation: ProbedOperation, context: CaseContext): Check[] {
  const [success] = successesOf(operation);
  const base = success ?? operation.cases[0];
  if (base === undefined) return [];
  const isOpen = !operation.needsLogin;
  const [missing, wrong] = [rulesShownBy(operation, "no-credentials"), rulesShownBy(operation, "wrong-credentials")];
  const unknown = {
    base,
    rules: isOpen ? [] : wrong,
    expect: isOpen ? anyResponse : expectedRefusal(operation, wrong),
    ...(isOpen ? {} : { stateless: true as const }),
  };
  const invalid = [
    probe(
      operation,
      {
        ...unknown,
        name: "unknown-user",
        summary: "Sent with the address and key of an unknown user",
        change: () => ({ as: "stranger" }),
      },
      context,
    ),
    ...invalidCredentials.map(([name, how, authorization]) =>
      probe(
        operation,
        {
          ...unknown,
          name,
          summary: `Sent ${how}`,
          change: () => ({ as: "nobody", headers: { Authorization: authorization } }),
        },
        context,
      ),
    ),
  ];
  if (isOpen) return invalid;
  const stateless = [
    probe(
      operation,
      {
        name: "no-credentials",
        summary: "Sent without credentials",
        rules: missing,
        base,
        stateless: true,
        change: () => ({ as: "nobody" }),
        expect: expectedRefusal(operation, missing),
      },
      context,
    ),
    ...invalid,
  ];
  if (success === undefined) return stateless;
  return [
    ...stateless,
    probe(
      operation,
      {
        name: "wrong-key",
        summary: "Sent with the address of a user and a key that is not theirs",
        rules: wrong,
        base: success,
        change: ({ as }) => ({ as: { email: `$credentials.${as}.email`, api_key: wrongKey } }),
        expect: expectedRefusal(operation, wrong),
      },
      context,
    ),
    // The contract leaves open which code a deactivated account gets.
    probe(
      operation,
      {
        name: "deactivated-user",
        summary: "Sent by a user whose account was deactivated",
        rules: rulesShownBy(operation, "deactivated-account"),
        base: success,
        change: () => ({ as: "deactivated" }),
        expect: refusedSomeWay,
      },
      context,
    ),
  ];
}

/** A text of the length of a key. */
const wrongKey = "x".repeat(32);

/** Callers of the provider states (`x-callers`), most powerful first; each has the roles of those after it. */
const callersByRole: readonly string[] = ["owner", "administrator", "moderator", "member", "guest", "bot"];

/** Lists the requests of callers who lack the role that a rule of the operation requires. */
export function roleProbes(operation: ProbedOperation, context: CaseContext): Check[] {
  return operation.rules.flatMap((rule) => probesWithoutRole(operation, rule, context));
}

function probesWithoutRole(
  operation: ProbedOperation,
  { id, "shown-by": shownBy }: Rule,
  context: CaseContext,
): Check[] {
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
    probe(
      operation,
      {
        name: `${action}by-${caller}`,
        summary: `Sent by ${caller}, who lacks the required role`,
        rules: [id],
        base,
        change: () => ({ as: caller }),
        expect: expectedRefusal(operation, [id]),
      },
      context,
    ),
  );
}
