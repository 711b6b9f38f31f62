import { newestLevel } from "../../../generated/chat/request-levels.js";
import type { Check as PlannedCheck } from "../../contract/check.js";
import { contractVersions, packageVersion } from "../../versions.js";
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
import type { ProbedOperation } from "../derive/probed-operation.js";
import { discountSuccesses } from "../judge/discount-successes.js";
import type { CheckOutcome, CheckResult } from "../model/check-result.js";
import { neededState } from "../model/list-needs.js";
import type { VerifyReport } from "../model/verify-report.js";
import { toReportedRule } from "../model/verify-report.js";
import { type AccountPlan, inAnyOrganization, readInAnyOrganization, whyNotWithAccounts } from "../run/account-plan.js";
import type { CodeCheck } from "../run/define-check.js";
import { acceptedIn, controlsFor, discountRefusals, doubtsIn } from "../run/discount-refusals.js";
import { operationsOf } from "../run/operations-of.js";
import { reportedOperations } from "../run/reported-operations.js";
import { runCode } from "../run/run-code.js";
import { type Lane, type Runnable, runLanes } from "../run/run-lanes.js";
import { needsStates, needsStatesReason, runSteps } from "../run/run-steps.js";
import type { RunOptions } from "../run-options.js";
import { requireInteger, resolveRunOptions, resolveSeed } from "../run-options.js";
import { stateHelp } from "../states/catalogue.js";
import { accountCandidates, describeWrites, planAccounts } from "./account-run.js";
import type { Accounts } from "./accounts.js";
import { contractAtLevel } from "./contract-at-level.js";
import { createChatSession } from "./create-chat-session.js";
import { parseHeaders } from "./extra-headers.js";
import { findOperations, unknownOutcome } from "./operation-presence.js";
import { rulesAtLevel } from "./rules-at-level.js";
import { requirePrerequisites } from "./server/prerequisites.js";
import { readServerSettings, type ServerSettings } from "./server/read-server-settings.js";
import { serverBaseUrl, statesEndpoint } from "./server/server-urls.js";

/** The chat server to verify, and how. */
export interface VerifyChatOptions extends RunOptions {
  /** The URL of the API, such as `http://127.0.0.1:4011/api/v1`. */
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
 * Checks a chat server against the contract of its feature level: its cases and workflows, and probes derived from the schemas.
 *
 * Rejects with a `CouldNotRunError` if the server does not respond or cannot set up provider states, a URL is malformed, an option is out
 * of bounds, the selection is empty, or the run is stopped before the first check.
 */
export async function verifyChat(options: VerifyChatOptions): Promise<VerifyReport> {
  const { jobs, timeoutMs } = resolveRunOptions(options);
  const seed = resolveSeed(options.seed);
  const url = serverBaseUrl(options.url);
  if (options.level !== undefined) requireInteger("level", options.level, 0, newestLevel);
  const { headers, secrets } = parseHeaders(options.headers ?? []);
  const { accounts } = options;
  if (accounts !== undefined && options.statesUrl !== undefined)
    throw new CouldNotRunError("Give either provider states or accounts, because states have accounts of their own");
  const statesUrl = options.statesUrl === undefined ? undefined : statesEndpoint(options.statesUrl);
  const settings: ServerSettings =
    options.level === undefined
      ? await beforeStop(options, readServerSettings(url, { timeoutMs, headers, signal: options.signal }))
      : { level: options.level };
  const serverLevel = settings.level;
  // A newer server still has to keep the newest contract known here.
  const level = Math.min(serverLevel, newestLevel);
  const { contract, checks, codeChecks, probes, validators, operations, context } = await contractAtLevel(level);
  const rules = rulesAtLevel(contract, level);
  const planned = new Map([...checks, ...probes].map((one) => [one.id, one]));
  const presenceChecks = [...operations.values()].map(presenceCheck);
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
  const server = { url, ...(statesUrl === undefined ? {} : { statesUrl }) };
  const limits = { timeoutMs, headers, signal: options.signal ?? new AbortController().signal };
  if ([...chosen, ...chosenProbes].some(needsStates)) await beforeStop(options, requirePrerequisites(server, limits));
  const plan =
    accounts === undefined
      ? undefined
      : await beforeStop(
          options,
          planAccounts(url, accounts, { allowsWrites: options.allowWrites === true, operations }, limits),
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
    ({ operationId }) => called.has(operationId) || selected.has(presenceId(operationId)),
  );
  const presence = await findOperations(asked, {
    context,
    createSession: (id) => createChatSession(target, id),
    ...(plan === undefined
      ? {}
      : { candidates: (operation) => accountCandidates(operation, [...checks, ...probes], plan) }),
    jobs,
    signal,
    onFound: (operation, outcome, durationMs) => {
      const check = presenceCheck(operation);
      if (selected.has(check.id)) onCheck({ ...check, kind: "operation", outcome, durationMs });
    },
  });
  const lanes: Lane[] = [
    ...probeLanes(chosenProbes.map(adapted), { operations, context, random: { seed, runs: 20, signal } }, (id) =>
      createChatSession(target, id),
    ),
    ...chosenCode.map((check): Lane => {
      const { calls: _, ...about } = check;
      const run = () => runCode(check, createChatSession(target, check.id), { url, contract, level, signal });
      return [{ ...about, kind: "workflow", run }];
    }),
    ...chosen.map((check) => {
      const { steps: _, knownLevelsOnly: __, leavesNothing: ___, ...about } = check;
      return [{ ...about, run: () => runSteps(check, createChatSession(target, check.id)) }];
    }),
  ];
  const runUnreported = async (chosen: readonly PlannedCheck[]): Promise<CheckResult[]> => {
    const results: CheckResult[] = [];
    const toLane = ({ steps, ...about }: PlannedCheck): Lane => [
      { ...about, run: () => runSteps({ ...about, steps }, createChatSession(target, about.id)) },
    ];
    await runLanes(chosen.map(toLane), { jobs, signal, onCheck: (check) => results.push(check) });
    return results;
  };
  const skipMissing = (runnable: Runnable): Runnable => {
    const calls = callsOf(runnable.id);
    const lacking = calls.filter((id) => presence.get(id)?.kind === "not-implemented");
    const unknown = calls.filter((id) => presence.get(id)?.kind === "unknown");
    const check = planned.get(runnable.id);
    const needed = plan && (check === undefined ? needsStatesReason : whyNotWithAccounts(adapted(check), plan));
    if (lacking.length + unknown.length === 0 && needed === undefined) return runnable;
    const outcome: CheckOutcome =
      lacking.length > 0
        ? lackingOutcome(lacking)
        : needed !== undefined
          ? { kind: "skipped", reason: needed, ...(needed === needsStatesReason ? { need: { kind: "states" } } : {}) }
          : unknownOutcome(unknown, statesUrl !== undefined);
    return { ...runnable, run: async () => ({ outcome, isAnswered: true }) };
  };
  await runLanes(
    lanes.map((lane) => lane.map(skipMissing)),
    { jobs, signal, onCheck },
  );
  const report = recorder.report({
    contract: "chat",
    version: contractVersions.chat,
    packageVersion,
    target: options.url,
    level,
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
  const help = await helpFor(report.checks, planned);
  return { ...report, stateHelp: help, checks: discountSuccesses(judged, { checks, probes }) };
}

/** What the handler of each provider state must return that skipped checks need, as the first of them sets it up. */
async function helpFor(
  checks: readonly CheckResult[],
  planned: ReadonlyMap<string, PlannedCheck>,
): Promise<ReadonlyMap<string, string>> {
  const params = new Map<string, object>();
  for (const { id, outcome } of checks) {
    const need = outcome.kind === "skipped" ? outcome.need : undefined;
    if (need === undefined || need.kind === "operation") continue;
    const name = neededState(need);
    const step = planned.get(id)?.steps.find((one) => one.kind === "state" && one.state === name);
    // Parameters may refer to other steps.
    const own = step?.kind === "state" && !JSON.stringify(step.params).includes("$") ? step.params : {};
    if (!params.has(name)) params.set(name, own);
  }
  const texts = [...params].map(async ([state, given]) => [state, await stateHelp({ state, params: given })] as const);
  return new Map(await Promise.all(texts));
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

function presenceId(operationId: string): string {
  return `operation ${operationId}`;
}

function lackingOutcome(operations: readonly string[]): CheckOutcome {
  const reason = `the server does not have ${operations.join(", ")}`;
  return { kind: "skipped", reason, need: { kind: "operation", operations } };
}

/** The check that the server has an operation. */
function presenceCheck({ operationId }: ProbedOperation) {
  return {
    id: presenceId(operationId),
    operation: operationId,
    summary: "The server has the operation",
    rules: [],
    steps: [],
  };
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
