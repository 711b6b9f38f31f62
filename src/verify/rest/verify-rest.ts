import { packageVersion } from "../../base/versions.js";
import type { Check as PlannedCheck } from "../../contract/check.js";
import { basePath } from "../../contract/rest/base-path.js";
import { conventionsOf } from "../../contract/rest/conventions.js";
import { type ResponseObject, resolve, type Schema } from "../../contract/rest/document.js";
import { listOperations } from "../../contract/rest/operations.js";
import type { ProbedOperation } from "../../contract/rest/probed-operation.js";
import { shapeOf } from "../../contract/rest/request-body.js";
import type { RestContract } from "../../contract/rest/rest-contract.js";
import { loginFields } from "../../contract/rest/security.js";
import { baseState } from "../../contract/rest/states.js";
import { CouldNotRunError } from "../could-not-run-error.js";
import { createRecorder } from "../create-recorder.js";
import {
  type CheckToRun,
  checksBeyond,
  createSelection,
  reportedShard,
  requireSelection,
} from "../create-selection.js";
import { probeLanes } from "../derive/probe-lanes.js";
import { discountSuccesses } from "../judge/discount-successes.js";
import type { CheckOutcome, CheckResult } from "../model/check-result.js";
import { neededState } from "../model/list-needs.js";
import type { VerifyReport } from "../model/verify-report.js";
import { toReportedRule } from "../model/verify-report.js";
import { type AccountPlan, inAnyOrganization, readInAnyOrganization, whyNotWithAccounts } from "../run/account-plan.js";
import type { CodeCheck } from "../run/define-check.js";
import { acceptedIn, controlsFor, discountRefusals, doubtsIn } from "../run/discount-refusals.js";
import { operationsOf } from "../run/operations-of.js";
import { lackingOutcome, presenceCheck } from "../run/presence-check.js";
import { reportedOperations } from "../run/reported-operations.js";
import { runCode } from "../run/run-code.js";
import { type Lane, type Runnable, runLanes } from "../run/run-lanes.js";
import { needsStates, needsStatesReason, runSteps } from "../run/run-steps.js";
import type { RunOptions } from "../run-options.js";
import { requireInteger, resolveRunOptions, resolveSeed } from "../run-options.js";
import { type FailedSetup, stateHelp } from "../states/catalogue.js";
import { statesEndpoint } from "../states/states-endpoint.js";
import { accountCandidates, describeWrites, planAccounts } from "./account-run.js";
import type { Accounts } from "./accounts.js";
import { contractAtLevel } from "./contract-at-level.js";
import { createRestSession } from "./create-rest-session.js";
import { parseHeaders } from "./extra-headers.js";
import { findOperations, unknownOutcome } from "./operation-presence.js";
import { rulesAtLevel } from "./rules-at-level.js";
import { requirePrerequisites } from "./server/prerequisites.js";
import { readServerSettings, type ServerSettings } from "./server/read-server-settings.js";
import { apiUrl } from "./server/server-urls.js";

/** The server to verify, and how. */
export interface VerifyRestOptions extends RunOptions {
  /** The URL of the API, with its path, such as `http://127.0.0.1:4011/api/v1`. */
  readonly url: string;
  /** The URL for setups of provider states. Without it, checks that need them are skipped. */
  readonly statesUrl?: string;
  /** Accounts of a real organization, which are the callers of checks if there are no provider states. */
  readonly accounts?: Accounts;
  /** Whether checks with accounts may write if they leave nothing behind, or if a correct server refuses it. Defaults to false. */
  readonly allowWrites?: boolean;
  /** Called before the first check with what those checks will write, a line for each request. */
  readonly onWrites?: (lines: readonly string[]) => void;
  /** Headers of every request, such as `X-Tenant: acme`. What looks like a credential is masked. */
  readonly headers?: readonly string[];
  /**
   * The feature level whose contract applies, at most the newest that the contract knows. Defaults to the level that the server
   * reports, or the newest known one if the server is newer.
   */
  readonly level?: number;
  /** The seed of the random requests, an integer from 0 to 2^31 - 1. Defaults to a random one, which the report contains. */
  readonly seed?: number;
}

/**
 * Checks a server against a contract as of its feature level: its cases and workflows, and probes derived from the schemas.
 *
 * Rejects with a `CouldNotRunError` if the server does not respond or cannot set up provider states, a URL is malformed, an option is out
 * of bounds, the selection is empty, or the run is stopped before the first check.
 */
export async function verifyRest(source: RestContract, options: VerifyRestOptions): Promise<VerifyReport> {
  const { jobs, timeoutMs } = resolveRunOptions(options);
  const seed = resolveSeed(options.seed);
  const { name, document, states, newestLevel } = source;
  const path = basePath(document);
  const url = apiUrl(options.url, { name, path });
  if (options.level !== undefined) requireInteger("level", options.level, 0, newestLevel);
  const { headers, secrets } = parseHeaders(options.headers ?? []);
  const { accounts } = options;
  if (accounts !== undefined && options.statesUrl !== undefined)
    throw new CouldNotRunError("Give either provider states or accounts, because states have accounts of their own");
  const statesUrl = options.statesUrl === undefined ? undefined : statesEndpoint(options.statesUrl);
  const settings: ServerSettings =
    options.level === undefined
      ? await beforeStop(options, readLevel(source, url, { timeoutMs, headers, signal: options.signal }))
      : { level: options.level };
  const serverLevel = settings.level;
  // A newer server still has to keep the newest contract known here.
  const level = Math.min(serverLevel, newestLevel);
  const { contract, checks, codeChecks, probes, validators, operations, context } = await contractAtLevel(
    source,
    level,
  );
  const rules = rulesAtLevel(contract, level);
  const planned = new Map([...checks, ...probes].map((one) => [one.id, one]));
  const presenceChecks = [...operations.keys()].map(presenceCheck);
  const codeOf = new Map(codeChecks.map((check) => [check.id, operationsOfCode(operations, check)]));
  const presenceOf = new Map(presenceChecks.map(({ id, operation }) => [id, [operation]]));
  const callsOf = (id: string) => presenceOf.get(id) ?? codeOf.get(id) ?? operationsOf(planned.get(id));
  const all: CheckToRun[] = [...presenceChecks, ...checks, ...codeChecks, ...probes].map(
    ({ id, operation, rules, ...check }) => {
      const reliesOn = "reliesOn" in check && check.reliesOn !== undefined ? { reliesOn: check.reliesOn } : {};
      const calls = callsOf(id).map((called) => ({ id: called, title: titleOf(operations, called) }));
      return { id, operation, rules, ...reliesOn, calls };
    },
  );
  requireSelection(options, all);
  const isSelected = createSelection(options, all);
  const shard = reportedShard(options, all);
  const beyond = checksBeyond(options, all);
  const selected = new Set(all.filter(isSelected).map(({ id }) => id));
  const chosen = checks.filter(({ id }) => selected.has(id));
  const chosenProbes = probes.filter(({ id }) => selected.has(id));
  const server = { url, ...(statesUrl === undefined ? {} : { statesUrl }), document, states };
  const limits = { timeoutMs, headers, signal: options.signal ?? new AbortController().signal };
  if ([...chosen, ...chosenProbes].some(needsStates))
    await beforeStop(options, requirePrerequisites({ ...server, operations }, limits));
  const plan =
    accounts === undefined
      ? undefined
      : await beforeStop(
          options,
          planAccounts(server, accounts, { allowsWrites: options.allowWrites === true, operations }, limits),
        );
  const adapted = <Given extends PlannedCheck>(check: Given) =>
    plan === undefined ? check : inAnyOrganization(check, plan);
  if (plan?.allowsWrites) {
    const running = [...chosen, ...chosenProbes.map(adapted)].filter(
      (check) => whyNotWithAccounts(check, plan) === undefined,
    );
    options.onWrites?.(describeWrites(running, plan));
  }
  const recorder = createRecorder(options, rules);
  recorder.plan(selected.size);
  const { signal, add: onCheck } = recorder;
  const own = { ...server, ...(accounts === undefined ? {} : { accounts }), headers, secrets };
  const target = { ...own, operations, validators, timeoutMs, signal, isNewer: serverLevel > newestLevel };
  const chosenCode = codeChecks.filter(({ id }) => selected.has(id));
  const called = new Set([...chosen, ...chosenProbes, ...chosenCode].flatMap(({ id }) => callsOf(id)));
  const asked = [...operations.values()].filter(
    ({ operationId }) => called.has(operationId) || selected.has(presenceCheck(operationId).id),
  );
  const presence = await findOperations(asked, {
    basePath: new URL(url).pathname.replace(/\/+$/, ""),
    context,
    createSession: (id) => createRestSession(target, id),
    ...(plan === undefined
      ? {}
      : { candidates: (operation) => accountCandidates(operation, [...checks, ...probes], plan) }),
    jobs,
    signal,
    onFound: (operation, outcome, durationMs) => {
      const check = presenceCheck(operation.operationId);
      if (selected.has(check.id)) onCheck({ ...check, outcome, durationMs });
    },
  });
  const lanes: Lane[] = [
    ...probeLanes(chosenProbes.map(adapted), { operations, context, random: { seed, runs: 20, signal } }, (id) =>
      createRestSession(target, id),
    ),
    ...chosenCode.map((check): Lane => {
      const { calls: _, ...about } = check;
      const run = () =>
        runCode(check, createRestSession(target, check.id), {
          url: url.slice(0, url.length - path.length),
          contract,
          level,
          signal,
        });
      return [{ ...about, kind: "workflow", run }];
    }),
    ...chosen.map((check) => {
      const { steps: _, knownLevelsOnly: __, leavesNothing: ___, ...about } = check;
      return [{ ...about, run: () => runSteps(check, createRestSession(target, check.id)) }];
    }),
  ];
  const runUnreported = async (chosen: readonly PlannedCheck[]): Promise<CheckResult[]> => {
    const results: CheckResult[] = [];
    const toLane = ({ steps, ...about }: PlannedCheck): Lane => [
      { ...about, run: () => runSteps({ ...about, steps }, createRestSession(target, about.id)) },
    ];
    await runLanes(chosen.map(toLane), { jobs, signal, onCheck: (check) => results.push(check) });
    return results;
  };
  const unasked = new Set(
    [...presence].flatMap(([id, found]) => (found.kind === "unknown" && found.isUnasked ? id : [])),
  );
  const skipMissing = (runnable: Runnable): Runnable => {
    const calls = callsOf(runnable.id);
    const lacking = calls.filter((id) => presence.get(id)?.kind === "not-implemented");
    const unknown = calls.filter((id) => presence.get(id)?.kind === "unknown");
    const isUnasked = unknown.some((id) => unasked.has(id));
    const check = planned.get(runnable.id);
    const needed = plan && (check === undefined ? needsStatesReason : whyNotWithAccounts(adapted(check), plan));
    if (lacking.length + unknown.length === 0 && needed === undefined) return runnable;
    const outcome: CheckOutcome =
      lacking.length > 0
        ? lackingOutcome(lacking)
        : needed !== undefined
          ? { kind: "skipped", reason: needed, ...(needed === needsStatesReason ? { need: { kind: "states" } } : {}) }
          : unknownOutcome(unknown.join(", "), {
              hasCallers: statesUrl !== undefined || plan !== undefined,
              isUnasked,
            });
    return { ...runnable, run: async () => ({ outcome, isAnswered: true }) };
  };
  await runLanes(
    lanes.map((lane) => lane.map(skipMissing)),
    { jobs, signal, onCheck },
  );
  const report = recorder.report({
    contract: name,
    version: document.info.version,
    packageVersion,
    target: options.url,
    ...(newestLevel === 0 ? {} : { level }),
    seed,
    ...(settings.version === undefined ? {} : { serverVersion: settings.version }),
    ...(shard === undefined ? {} : { shard }),
    operations: reportedOperations(
      [...operations.values()].map(({ operationId: id, ownRules }) => ({
        ...{ id, title: titleOf(operations, id) },
        rules: ownRules.map((rule) => rule.id),
      })),
      presence,
      all.filter(isSelected),
    ),
    ...(accounts === undefined ? {} : { accounts: Object.keys(accounts) }),
    ...(beyond === undefined ? {} : { beyond }),
    rules: rules.map(toReportedRule),
    existing: new Set(all.map(({ id }) => id)),
  });
  const judged = await discountAll(report.checks, {
    planned,
    controls: plan === undefined ? planned : readsIn(planned, plan),
    operations,
    run: runUnreported,
  });
  const help = helpFor(report.checks, planned, source);
  return { ...report, stateHelp: help, checks: discountSuccesses(judged, [...checks, ...probes]) };
}

/** Asks a server for its feature level, at the URL of its API. A contract without levels has one, 0. */
export async function readLevel(
  { document }: RestContract,
  url: string,
  limits: Parameters<typeof readServerSettings>[1],
): Promise<ServerSettings> {
  const { level: convention } = conventionsOf(document);
  const found = listOperations(document).find(({ operation }) => operation.operationId === convention?.call);
  if (convention === undefined || found === undefined) return { level: 0 };
  const schema = Object.values(
    resolve<ResponseObject>(document, found.operation.responses["200"] ?? { description: "" }).content ?? {},
  )[0]?.schema;
  const { properties = {} } = (schema && shapeOf(document, resolve<Schema>(document, schema))) ?? {};
  // A success is known by the values that its schema fixes.
  const fixed = Object.entries(properties).flatMap(([key, given]) => {
    const { const: value } = resolve<Schema>(document, given);
    return value === undefined ? [] : [[key, value] as const];
  });
  const isSuccess = (body: object) =>
    fixed.length > 0 && fixed.every(([key, value]) => Reflect.get(body, key) === value);
  return readServerSettings({ url: `${url}${found.path}`, convention, isSuccess }, limits);
}

/** What the handler of each provider state must return that skipped checks need, as the first of them sets it up. */
function helpFor(
  checks: readonly CheckResult[],
  planned: ReadonlyMap<string, PlannedCheck>,
  { document, states: catalogue }: RestContract,
): ReadonlyMap<string, string> {
  const params = new Map<string, FailedSetup>();
  for (const { id, outcome } of checks) {
    const need = outcome.kind === "skipped" ? outcome.need : undefined;
    if (need === undefined || need.kind === "operation") continue;
    const needed = neededState(need);
    const name = needed === "" ? baseState(catalogue) : needed;
    if (name === undefined) continue;
    const step = planned.get(id)?.steps.find((one) => one.kind === "state" && one.state === name);
    // Parameters may refer to other steps.
    const own = step?.kind === "state" && !JSON.stringify(step.params).includes("$") ? step.params : {};
    if (!params.has(needed)) params.set(needed, { state: name, params: own });
  }
  return new Map([...params].map(([needed, setup]) => [needed, stateHelp(catalogue, setup, loginFields(document))]));
}

/**
 * Discounts refusals that may have another cause. What the selected checks do not say, the cases that were not selected do: they are run,
 * but not reported.
 */
async function discountAll(
  checks: readonly CheckResult[],
  {
    planned,
    controls: known,
    operations,
    run,
  }: {
    readonly planned: ReadonlyMap<string, PlannedCheck>;
    /** The checks that may run. */
    readonly controls: ReadonlyMap<string, PlannedCheck>;
    readonly operations: ReadonlyMap<string, ProbedOperation>;
    readonly run: (checks: readonly PlannedCheck[]) => Promise<CheckResult[]>;
  },
): Promise<CheckResult[]> {
  const isKnown = (id: string, name: string) =>
    operations.get(id)?.parameters.some((parameter) => parameter.name === name) === true;
  const accepted = acceptedIn(checks, planned);
  const done = new Set(checks.map(({ id }) => id));
  const controls = controlsFor(doubtsIn(checks, planned, accepted, isKnown), known).filter(
    ({ id }) => known !== planned || !done.has(id),
  );
  const extra = await run(controls);
  return discountRefusals(checks, planned, acceptedIn([...checks, ...extra], planned), isKnown);
}

/** The operations that a check in code calls: those that it names, and those that its rules are about. */
function operationsOfCode(
  operations: ReadonlyMap<string, ProbedOperation>,
  { rules, calls = [] }: CodeCheck,
): string[] {
  const about = [...operations.values()].flatMap(({ operationId, ownRules }) =>
    ownRules.some(({ id }) => rules.includes(id)) ? operationId : [],
  );
  return [...calls, ...about];
}

function titleOf(operations: ReadonlyMap<string, ProbedOperation>, id: string): string {
  const { method = "", path = "" } = operations.get(id) ?? {};
  return `${method} ${path}`;
}

/** Throws a `CouldNotRunError` instead of any other error if the run was stopped before the first check. */
function beforeStop<Value>({ signal }: RunOptions, work: Promise<Value>): Promise<Value> {
  return work.catch((error: unknown) => {
    throw signal?.aborted === true ? new CouldNotRunError("It was stopped before the first check") : error;
  });
}

/** The reads that a real organization accepts, by the ids of their checks. */
function readsIn(planned: ReadonlyMap<string, PlannedCheck>, plan: AccountPlan): ReadonlyMap<string, PlannedCheck> {
  return new Map(
    [...planned.values()].flatMap((check): [string, PlannedCheck][] => {
      const read = readInAnyOrganization(check, plan);
      return read === undefined ? [] : [[check.id, read]];
    }),
  );
}
