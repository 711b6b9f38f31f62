import { callerName } from "../../contract/calls.js";
import type { Check } from "../../contract/check.js";
import { credentialFields } from "../../contract/rest/conventions.js";
import type { ProbedOperation } from "../../contract/rest/probed-operation.js";
import type { Rule } from "../../contract/rest/rule.js";
import { documentLogin, type LoginScheme } from "../../contract/rest/security.js";
import type { CaseContext } from "./case-checks.js";
import {
  anyResponse,
  success as anySuccess,
  expectedRefusal,
  probe,
  refusedSomeWay,
  rulesShownBy,
  successesOf,
} from "./probe.js";

/** Lists requests with a part of what an alternative needs, which are refused, and with each further alternative, which are not. */
function alternativeProbes(
  operation: ProbedOperation,
  success: ProbedOperation["cases"][number],
  context: CaseContext,
): Check[] {
  const { logins, needsLogin } = operation;
  const idsOf = (login: readonly LoginScheme[]) => login.map(({ id }) => id).join("-and-");
  const suffices = (part: readonly LoginScheme[]) =>
    logins.some((login) => login.every(({ id }) => part.some((one) => one.id === id)));
  const [first = [], ...others] = logins;
  const parts = first.map((left) => first.filter((one) => one !== left)).filter((part) => part.length > 0);
  const partial = parts
    .filter((part) => needsLogin && !suffices(part))
    .map((login) =>
      probe(
        operation,
        {
          name: `only-${idsOf(login)}`,
          summary: `Sent with only the credentials for ${idsOf(login)}`,
          rules: rulesShownBy(operation, "wrong-credentials"),
          isAboutCredentials: true,
          base: success,
          change: () => ({ login: login.map(({ id }) => id) }),
          expect: refusedSomeWay,
        },
        context,
      ),
    );
  const further = others.map((login) =>
    probe(
      operation,
      {
        name: `by-${idsOf(login)}`,
        summary: `Sent with the credentials for ${idsOf(login)}`,
        base: success,
        change: () => ({ login: login.map(({ id }) => id) }),
        expect: anySuccess,
      },
      context,
    ),
  );
  return [...partial, ...further];
}

/** Invalid values of the header `Authorization`, by the scheme of the operation. */
const invalidCredentials: Readonly<
  Record<LoginScheme["kind"], readonly (readonly [name: string, summary: string, authorization: string])[]>
> = {
  basic: [
    ["no-base64", "with credentials that are not base64", "Basic %%%"],
    ["no-key", "with an address without a key", `Basic ${Buffer.from("stranger@stranger.invalid").toString("base64")}`],
    ["other-scheme", "with credentials of another scheme", "Bearer no-key-of-any-user-0123456789"],
  ],
  bearer: [
    ["no-token", "with a scheme and no token", "Bearer"],
    ["other-scheme", "with credentials of another scheme", `Basic ${Buffer.from("stranger:none").toString("base64")}`],
  ],
  key: [],
};

/** Those that no alternative of an operation takes. */
function invalidOf({ logins }: ProbedOperation, kind: LoginScheme["kind"]) {
  const isTaken = logins.flat().some((one) => one.kind === (kind === "basic" ? "bearer" : "basic"));
  return invalidCredentials[kind].filter(([name]) => name !== "other-scheme" || !isTaken);
}

/**
 * Lists requests without valid credentials: none, malformed and unknown ones, a user's address with a wrong key, and the key of a
 * deactivated user. An operation without login may check credentials or not.
 */
export function credentialProbes(operation: ProbedOperation, context: CaseContext): Check[] {
  const [success] = successesOf(operation);
  const base = success ?? operation.cases[0];
  const [scheme] = operation.login.length > 0 ? operation.login : documentLogin(operation.document).schemes;
  if (base === undefined || scheme === undefined) return [];
  const isOpen = !operation.needsLogin;
  const [missing, wrong] = [rulesShownBy(operation, "no-credentials"), rulesShownBy(operation, "wrong-credentials")];
  const unknown = {
    base,
    rules: isOpen ? [] : wrong,
    isAboutCredentials: !isOpen,
    expect: isOpen ? anyResponse : expectedRefusal(operation, wrong),
    ...(isOpen ? {} : { stateless: true as const }),
  };
  const invalid = [
    probe(
      operation,
      {
        ...unknown,
        name: "unknown-user",
        summary: `Sent with ${scheme.kind === "basic" ? "the address and key of an unknown user" : "unknown credentials"}`,
        change: () => ({ as: "stranger" }),
      },
      context,
    ),
    ...invalidOf(operation, scheme.kind).map(([name, how, authorization]) =>
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
        isAboutCredentials: true,
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
  const { username, password } = credentialFields(operation.document);
  const wrongKeys = [
    probe(
      operation,
      {
        name: "wrong-key",
        summary: "Sent with the address of a user and a key that is not theirs",
        rules: wrong,
        isAboutCredentials: true,
        base: success,
        change: ({ as }) => ({ as: { [username]: `$credentials.${as}.${username}`, [password]: wrongKey } }),
        expect: expectedRefusal(operation, wrong),
      },
      context,
    ),
  ];
  const { "x-deactivated": deactivated } = context.catalogue;
  return [
    ...stateless,
    ...alternativeProbes(operation, success, context),
    ...(scheme.kind === "basic" ? wrongKeys : []),
    ...(deactivated === undefined ? [] : [byDeactivated(operation, success, deactivated, context)]),
  ];
}

function byDeactivated(
  operation: ProbedOperation,
  base: ProbedOperation["cases"][number],
  caller: string,
  context: CaseContext,
): Check {
  // The contract leaves open which code a deactivated account gets.
  const notes = {
    name: "deactivated-user",
    summary: "Sent by a user whose account was deactivated",
    rules: rulesShownBy(operation, "deactivated-account"),
    base,
    change: () => ({ as: caller }),
    expect: refusedSomeWay,
  };
  return probe(operation, notes, context);
}

/** A text of the length of a key. */
const wrongKey = "x".repeat(32);

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
  const { "x-roles": callersByRole = [] } = context.catalogue;
  const rank = callersByRole.indexOf(role);
  if (rank === -1) throw new Error(`Rule ${id}: ${role} is not a role; use one of ${callersByRole.join(", ")}`);
  const base = successesOf(operation).find(
    (one) =>
      callersByRole.slice(0, rank + 1).includes(callerName(one.as)) && (allows === undefined || one.rule === allows),
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
