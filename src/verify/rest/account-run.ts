import { isOutsider } from "../../contract/calls.js";
import type { CallStep, Check } from "../../contract/check.js";
import { credentialFields, plainCaller } from "../../contract/rest/conventions.js";
import type { ContractDocument } from "../../contract/rest/document.js";
import type { ProbedOperation } from "../../contract/rest/probed-operation.js";
import { baseState, type StatesCatalogue } from "../../contract/rest/states.js";
import { CouldNotRunError } from "../could-not-run-error.js";
import { statesOf } from "../derive/probe.js";
import type { SendLimits } from "../http/send-request.js";
import {
  type AccountPlan,
  hasMalformedPath,
  leavesNothing,
  readInAnyOrganization,
  whyNotWithAccounts,
  writesOf,
} from "../run/account-plan.js";
import { unknownCredentials } from "../states/callers.js";
import { type Accounts, accountCredentials, accountForm } from "./accounts.js";
import type { Candidate } from "./operation-presence.js";
import { findLoginCall } from "./server/login-call.js";

/**
 * Asks a server whether it accepts the credentials of accounts, and callers without an account. Rejects with a `CouldNotRunError` if it
 * rejects an account, or with the signal's reason once that aborts.
 */
export async function planAccounts(
  target: {
    readonly url: string;
    readonly document: ContractDocument;
    readonly states: StatesCatalogue;
    /** The operations that the run may call. */
    readonly callable: AccountPlan["operations"];
  },
  accounts: Accounts,
  plan: Pick<AccountPlan, "allowsWrites" | "operations">,
  limits: SendLimits,
): Promise<AccountPlan> {
  const { url: apiUrl, document, states, callable } = target;
  const fields = credentialFields(document);
  const form = accountForm(document);
  const parts = form.toLowerCase().replace(":", " or ");
  const login = findLoginCall(callable.values(), { apiUrl, document }, limits);
  for (const [caller, account] of Object.entries(accounts)) {
    if ((await login?.send(accountCredentials(account, fields))) !== 401) continue;
    throw new CouldNotRunError(`${login?.url} answers 401 to the account of ${caller}. Correct its ${parts}`);
  }
  const outsiders = [await login?.send(undefined), await login?.send(unknownCredentials(fields))];
  return {
    ...plan,
    callers: new Set(Object.keys(accounts)),
    plain: plainCaller(document),
    base: baseState(states),
    nameField: fields.username,
    accountForm: form,
    refusesOutsiders: outsiders.every((status) => status === 401 || status === 403),
  };
}

/** How many requests with accounts are tried. */
const maxCandidates = 3;

/** Lists the requests that tell whether a server has an operation, and that a real organization can bear. */
export function accountCandidates(
  operation: ProbedOperation,
  checks: readonly Check[],
  plan: AccountPlan,
): Candidate[] {
  const own = checks.filter((check) => check.operation === operation.operationId && check.kind !== "workflow");
  const reads = own.flatMap((check) => readInAnyOrganization(check, plan) ?? []);
  // What writes is allowed to write once.
  const cautious = { ...plan, allowsWrites: false };
  const refusals = own.filter((check) => whyNotWithAccounts(check, cautious) === undefined);
  const all = [...reads.filter(succeeds), ...refusals].flatMap((check) =>
    check.steps.flatMap((step): Candidate[] =>
      step.kind === "call"
        ? [{ states: statesOf(check), call: step, isMalformed: hasMalformedPath(step, operation) }]
        : [],
    ),
  );
  const anonymous = all.filter(({ call: { as, headers } }) => as === "nobody" && headers === undefined);
  return [...all.filter(({ call: { as } }) => !isOutsider(as)).slice(0, maxCandidates), ...anonymous.slice(0, 1)];
}

function succeeds({ steps }: Check): boolean {
  const [call] = steps.filter((step): step is CallStep => step.kind === "call");
  return call !== undefined && (call.expect.status === "2XX" || call.expect.status === 200);
}

/** Describes what checks will write, or would if the server wrongly accepted it: one line for each request. */
export function describeWrites(checks: readonly Check[], plan: AccountPlan): string[] {
  const writes = checks.flatMap((check) => {
    const kind = leavesNothing(check, plan) ? "writes" : "writes if the server wrongly accepts it";
    return writesOf(check, plan).map((write) => `${kind}: ${write}`);
  });
  const counts = new Map<string, number>();
  for (const write of writes) counts.set(write, (counts.get(write) ?? 0) + 1);
  return [...counts].map(([write, count]) => (count === 1 ? write : `${write}, ${count} times`)).sort();
}
