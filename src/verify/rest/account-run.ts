import { CouldNotRunError } from "../../base/could-not-run-error.js";
import { callsOf, expectedOf, isOutsider } from "../../contract/calls.js";
import type { CallStep, Check } from "../../contract/check.js";
import { credentialFields, plainCaller } from "../../contract/rest/conventions.js";
import type { ContractDocument } from "../../contract/rest/document.js";
import type { ProbedOperation } from "../../contract/rest/probed-operation.js";
import { baseState, type StatesCatalogue } from "../../contract/rest/states.js";
import { degrees } from "../../report/model/degree.js";
import { exampleCall } from "../derive/case-checks.js";
import { statesOf } from "../derive/probe.js";
import type { SendLimits } from "../http/send-request.js";
import { type AccountPlan, hasMalformedPath, readInAnyOrganization, whyNotWithAccounts } from "../run/account-plan.js";
import { couldAct, degreeOf, isRead, type Permission } from "../run/permission.js";
import { httpMethodOf } from "../run/removals.js";
import { unknownCredentials } from "../states/callers.js";
import { type Accounts, accountCredentials, accountForm } from "./accounts.js";
import type { Candidate } from "./operation-presence.js";
import { findLoginCall } from "./server/login-call.js";

/** The server whose accounts, or whose callers without one, are asked for. */
interface AskedServer {
  readonly url: string;
  readonly document: ContractDocument;
  /** The operations that the run may call. */
  readonly callable: ReadonlyMap<string, ProbedOperation>;
}

/**
 * Asks a server whether it accepts the credentials of accounts. Rejects with a `CouldNotRunError` if it rejects an account, or with the
 * signal's reason once that aborts.
 */
export async function planAccounts(
  {
    url: apiUrl,
    document,
    callable,
    operations,
    states,
  }: AskedServer & Pick<AccountPlan, "operations"> & { readonly states: StatesCatalogue },
  accounts: Accounts,
  limits: SendLimits,
): Promise<AccountPlan> {
  const fields = credentialFields(document);
  const form = accountForm(document);
  const parts = form.toLowerCase().replace(":", " or ");
  const login = findLoginCall(callable.values(), { apiUrl, document }, limits);
  for (const [caller, account] of Object.entries(accounts)) {
    if ((await login?.send(accountCredentials(account, fields))) !== 401) continue;
    throw new CouldNotRunError(`${login?.url} answers 401 to the account of ${caller}. Correct its ${parts}`);
  }
  return {
    operations,
    callers: new Set(Object.keys(accounts)),
    plain: plainCaller(document),
    base: baseState(states),
    nameField: fields.username,
    accountForm: form,
  };
}

/** Whether a server refuses a read without credentials, and one of an unknown user. False if the contract has no read that needs a login. */
export async function refusesOutsiders(
  { url: apiUrl, document, callable }: AskedServer,
  limits: SendLimits,
): Promise<boolean> {
  const login = findLoginCall(callable.values(), { apiUrl, document }, limits);
  const callers = [undefined, unknownCredentials(credentialFields(document))];
  for (const caller of callers) if (![401, 403].includes((await login?.send(caller)) ?? 0)) return false;
  return true;
}

/** How many requests with accounts are tried. */
const maxCandidates = 3;

/**
 * Lists the requests of checks that tell whether a server has an operation: reads, and what could change the least. With accounts, those that
 * a real organization can bear.
 */
export function presenceCandidates(
  operation: ProbedOperation,
  checks: readonly Check[],
  plan: AccountPlan | undefined,
  permission: Permission,
): Candidate[] {
  const own = checks.filter((check) => check.kind !== "workflow");
  const reads = plan === undefined ? [] : own.flatMap((check) => readInAnyOrganization(check, plan) ?? []);
  const rankOf = (check: Check) => degrees.indexOf(degreeOf(check, permission));
  const others = own
    .filter((check) => plan === undefined || whyNotWithAccounts(check, plan) === undefined)
    .filter((check) => rankOf(check) <= degrees.indexOf(permission.degree))
    .sort((one, other) => rankOf(one) - rankOf(other));
  const all = [...reads.filter(succeeds), ...others].flatMap((check) =>
    check.steps.flatMap((step): Candidate[] =>
      step.kind === "call"
        ? [{ states: statesOf(check), call: step, isMalformed: hasMalformedPath(step, operation) }]
        : [],
    ),
  );
  const unreadable = permission.degree === "undone" ? unreadableCandidate(operation, plan, permission) : [];
  const anonymous = all.filter(({ call: { as, headers } }) => as === "nobody" && headers === undefined);
  return [
    ...unreadable,
    ...all.filter(({ call: { as } }) => !isOutsider(as)).slice(0, maxCandidates),
    ...anonymous.slice(0, 1),
  ];
}

/** A write with a body from which no server can read a value. */
function unreadableCandidate(
  operation: ProbedOperation,
  plan: AccountPlan | undefined,
  permission: Permission,
): Candidate[] {
  const [first] = operation.cases;
  if (first === undefined) return [];
  const as = plan?.callers.has(plan.plain) ? plan.plain : "nobody";
  const sent = { type: operation.mediaType ?? "", body: "{" };
  const call: CallStep = { ...exampleCall(first), as, sent, expect: [{ status: "4XX" }] };
  return isRead(call, permission.operations) || couldAct(call, permission) ? [] : [{ states: [], call }];
}

function succeeds({ steps }: Check): boolean {
  const [call] = steps.filter((step): step is CallStep => step.kind === "call");
  return call !== undefined && ["2XX", 200].some((status) => status === expectedOf(call).status);
}

/** Describes what checks will write, or would if the server wrongly accepted it: one line for each request. */
export function describeWrites(checks: Iterable<Check>, permission: Permission): string[] {
  const { operations } = permission;
  const writesOf = (check: Check) =>
    callsOf(check)
      .filter((call) => !isRead(call, operations))
      .map((call) => {
        const path = operations.get(call.call ?? "")?.path ?? call.request?.url ?? "";
        const caller = typeof call.as === "string" ? call.as : "nobody";
        const kind = couldAct(call, permission) ? "writes" : "writes if the server wrongly accepts it";
        return `${kind}: ${httpMethodOf(call, operations)} ${path} by ${caller}`;
      });
  const counts = new Map<string, number>();
  for (const check of checks) for (const write of writesOf(check)) counts.set(write, (counts.get(write) ?? 0) + 1);
  return [...counts].map(([write, count]) => (count === 1 ? write : `${write}, ${count} times`)).sort();
}
