import { CouldNotRunError, stoppedBeforeChecks } from "../../base/could-not-run-error.js";
import { parseUrl } from "../../base/parse-url.js";
import { requireInteger } from "../../base/require-integer.js";
import { packageVersion } from "../../base/versions.js";
import { operationsOf } from "../../contract/calls.js";
import type { Check, Depth } from "../../contract/check.js";
import { basePath } from "../../contract/rest/base-path.js";
import { conventionsOf, plainCaller } from "../../contract/rest/conventions.js";
import type { ContractDocument } from "../../contract/rest/document.js";
import { rulesAtLevel } from "../../contract/rest/level/rules-at-level.js";
import type { ProbedOperation } from "../../contract/rest/probed-operation.js";
import { findResources } from "../../contract/rest/resources/find-resources.js";
import type { RestContract } from "../../contract/rest/rest-contract.js";
import { loginKinds, secretPlaces } from "../../contract/rest/security.js";
import { baseState } from "../../contract/rest/states.js";
import { apiUrl } from "../../http/api-url.js";
import type { CheckResult } from "../../report/model/check-result.js";
import { toReportedRule, type VerifyReport } from "../../report/model/verify-report.js";
import { type ClientCertificate, withCertificate } from "../../wire/client-certificate.js";
import { createRecorder } from "../create-recorder.js";
import { createAllowance, createOperationMatcher } from "../create-selection.js";
import { isSafe } from "../http/call-http.js";
import { parseHeaders } from "../http/extra-headers.js";
import { createFlickerCount } from "../http/flicker-count.js";
import type { RequestAbout } from "../http/no-answer-error.js";
import { createThrottle, type Flicker, type ReadyRequest } from "../http/send-request.js";
import { createPace } from "../pace.js";
import { type DerivedPlan, defaultDepth, derivedPlan } from "../run/at-depth.js";
import { createCodeGuard, maxCodeCalls } from "../run/code-guard.js";
import { createCreations, maxRemovingMs } from "../run/creations.js";
import { discountCredentials } from "../run/discount-credentials.js";
import { discountDoubts, readsIn } from "../run/discount-doubts.js";
import { discountSuccesses } from "../run/discount-successes.js";
import { createGate } from "../run/gate.js";
import { degreeOf, type Effect, effects } from "../run/permission.js";
import { presenceCheck, reportsMissing, settlePresence } from "../run/presence-check.js";
import { createPresenceNotes } from "../run/presence-notes.js";
import { reportedOperations } from "../run/reported-operations.js";
import { type Runnable, runLanes, toRunnable } from "../run/run-lanes.js";
import { needsStates } from "../run/run-steps.js";
import { createServerWatch } from "../run/server-watch.js";
import { type RunOptions, resolveRunOptions, resolveSeed } from "../run-options.js";
import { statesEndpoint } from "../states/states-endpoint.js";
import { describeWrites, planAccounts, refusesOutsiders } from "./account-run.js";
import type { Accounts } from "./accounts.js";
import { askOperations } from "./ask-operations.js";
import { type ContractAtLevel, contractAtLevel } from "./contract-at-level.js";
import { createRestSession } from "./create-rest-session.js";
import { createKnownValues } from "./known-values.js";
import { lanesOf, sentChecks } from "./lanes-of.js";
import { createServerLook } from "./look-at-server.js";
import { helpForNeeds } from "./needed-states.js";
import { noteNone, nowhere } from "./operation-presence.js";
import { readLevel } from "./read-level.js";
import { removeCreated } from "./remove-created.js";
import { probesMeant, type SelectedChecks, selectChecks } from "./select-checks.js";
import { requirePrerequisites } from "./server/prerequisites.js";
import type { ServerSettings } from "./server/read-server-settings.js";
import { hintAtPath } from "./server/server-urls.js";

/** With more operations, the first is asked for before all checks are listed, which takes seconds. */
const manyOperations = 500;

/** The server to verify, and how. */
export interface VerifyRestOptions extends RunOptions {
  /** The URL of the API, with its path, such as `http://127.0.0.1:4011/api/v1`. */
  readonly url: string;
  /** The URL for setups of provider states. Without it, checks that need them are skipped. */
  readonly statesUrl?: string;
  /** Accounts of a real organization, which are the callers of checks if there are no provider states. */
  readonly accounts?: Accounts;
  /** How much to try of what follows from the document alone. Defaults to `normal`. */
  readonly depth?: Depth;
  /** Called before the first check if the run sends derived workflows. */
  readonly onDerived?: (plan: DerivedPlan) => void;
  /** Called before the first check with what those checks will write, a line for each request. */
  readonly onWrites?: (lines: readonly string[]) => void;
  /**
   * Values of parameters that the server has, by the name of the parameter or the path up to it, such as `/orders/{id}`. They are sent
   * instead of the examples of the document. Beside those of `accord.yaml`, which they replace. Defaults to none.
   */
  readonly values?: Readonly<Record<string, unknown>>;
  /** Shown to the server of the API if it asks for one. */
  readonly certificate?: ClientCertificate;
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
  const { origin = "" } = parseUrl(options.url) ?? {};
  return withCertificate(options.certificate, origin, () => verify(source, options));
}

async function verify(source: RestContract, options: VerifyRestOptions): Promise<VerifyReport> {
  const { jobs, timeoutMs, restartWaitMs } = resolveRunOptions(options);
  const seed = resolveSeed(options.seed);
  const pace = createPace(options.rate);
  const { name, document, states, newestLevel } = source;
  const { accounts } = options;
  const exclude = [...(source.exclude ?? []), ...(options.exclude ?? [])];
  const hasStates = options.statesUrl !== undefined;
  const degree = hasStates ? "everything" : (options.degree ?? "reads");
  const path = basePath(document);
  const url = apiUrl(options.url, { name, path, servers: document.servers });
  if (options.level !== undefined) requireInteger("level", options.level, 0, newestLevel);
  const { headers, secrets } = parseHeaders(options.headers ?? [], secretPlaces(document).headers);
  if (accounts !== undefined && hasStates)
    throw new CouldNotRunError("Give either provider states or accounts, because states have accounts of their own");
  if (accounts !== undefined && loginKinds(document).size === 0)
    throw new CouldNotRunError(
      `The document of ${name} names no security scheme by which an account can log in: give --header, such as --header 'Authorization: Bearer TOKEN'`,
    );
  const statesUrl = options.statesUrl === undefined ? undefined : statesEndpoint(options.statesUrl);
  const settings: ServerSettings =
    options.level === undefined
      ? await beforeStop(options, readLevel(source, url, { timeoutMs, headers, signal: options.signal, pace, exclude }))
      : { level: options.level };
  // A newer server still has to keep the newest contract known here.
  const level = Math.min(settings.level, newestLevel);
  const { depth = defaultDepth } = options;
  const { contract, selected, listed } = await checksOf(source, level, { ...options, depth, exclude });
  const { operations, context, validators } = contract;
  const rules = rulesAtLevel(contract.contract, level);
  const [isExcluded, isAllowed] = [createOperationMatcher(exclude), createAllowance(options)];
  const named = [...operations].map(([id, operation]) => ({ id, title: operation.title, operation }));
  const callable = new Map(
    named.filter((one) => isAllowed(one) && !isExcluded(one)).map(({ id, operation }) => [id, operation]),
  );
  const server = { url, statesUrl, document, states };
  const throttle = createThrottle();
  const limits = { timeoutMs, headers, pace, throttle, signal: options.signal ?? new AbortController().signal };
  if (baseState(states) !== undefined && some(selectedChecks(selected), needsStates))
    await beforeStop(options, requirePrerequisites({ ...server, operations: callable }, limits));
  const plan =
    accounts === undefined
      ? undefined
      : await beforeStop(options, planAccounts({ ...server, operations, callable }, accounts, limits));
  const apiPath = new URL(url).pathname.replace(/\/+$/, "");
  const hasCallers = hasStates || plan !== undefined;
  const gate = createGate({
    ...{ degree, operations, exclude, exclusionOf: selected.exclusionOf, basePath: apiPath, hasStates, hasCallers },
    refusesOutsiders:
      degree === "undone" && (await beforeStop(options, refusesOutsiders({ ...server, callable }, limits))),
  });
  const ofDerived = selected.checks.filter((check) => check.derived !== undefined);
  const derived = derivedPlan([...sentChecks(ofDerived, { plan, gate })], depth);
  if (derived !== undefined) options.onDerived?.(derived);
  if (degree === "undone")
    options.onWrites?.(describeWrites(sentChecks(selectedChecks(selected), { plan, gate }), gate));
  const recorder = createRecorder(options, rules);
  if (operations.size <= manyOperations) recorder.plan(listed().reported.length);
  const { signal, add: onCheck } = recorder;
  const notes = createPresenceNotes();
  const look = createServerLook(`${url}${nowhere}`, { timeoutMs, headers, signal, pace });
  const watch = createServerWatch({ look: look.look, isDisposable: degree === "everything", restartWaitMs, signal });
  const flickers = createFlickerCount();
  const { planned } = selected;
  const watched = ({ id, summary, run }: Runnable) => {
    const check = planned.get(id);
    const isRead = check !== undefined && degreeOf(check, gate) === "reads";
    return watch.run({ id, calls: selected.callsOf(id), isRead, summary, run });
  };
  const onAnswer = (request: ReadyRequest, tookMs: number, about: RequestAbout) => {
    // What a path gets that no API has says nothing of an operation.
    if (!request.url.endsWith(nowhere)) watch.noteAnswer(about);
    if (!isSafe(request.method)) flickers.noteWrite(about.request);
    look.noteAnswer(request, tookMs);
  };
  const known = createKnownValues(operations.values(), { ...conventionsOf(document).values, ...options.values });
  // Each set-up leaves things behind on a server with provider states.
  const creations = hasStates ? undefined : createCreations(itemPathIn(document, apiPath));
  const target = {
    onAnswer,
    onFlicker: (flicker: Flicker) => {
      flickers.note(flicker);
      if (flicker === "dropped") watch.noteFlicker();
    },
    ...{ ...server, accounts, headers, secrets },
    ...{
      operations,
      validators,
      notes,
      known,
      timeoutMs,
      signal,
      pace,
      throttle,
      isNewer: settings.level > newestLevel,
    },
    ...(degree === "undone" ? { refusals: { areLost: false, responses: new Map() } } : {}),
    ...{ refuse: gate.refuse, creations },
  };
  const createSession = (id: string) => createRestSession(target, id);
  const guard = createCodeGuard(maxCodeCalls * timeoutMs);
  const code = {
    url: url.endsWith(path) ? url.slice(0, url.length - path.length) : url,
    apiPath: { documented: path, actual: apiPath },
    ...{ contract: contract.contract, level, signal, guard },
  };
  const operationsAt = (effect: Effect) =>
    selected.operations.filter((operation) => gate.effectOfOperation(operation) === effect);
  /** Also removes what a run made that was stopped. */
  const removeLeft = async () => {
    if (creations === undefined || degree === "reads") return;
    const ending = { ...target, signal: AbortSignal.timeout(maxRemovingMs) };
    await removeCreated(creations.list({ isSure: degree === "undone" }), {
      ...{ operations: callable, gate, basePath: apiPath, as: plainCaller(document) },
      createSession: () => createRestSession(ending, "removal"),
    });
  };
  let hasAnswered = false;
  const runChecks = async () => {
    // What destroys comes last, so that it spoils nothing.
    for (const effect of effects) {
      const asked = operationsAt(effect);
      await askOperations(asked, {
        ...{ url, context, createSession, notes, known, gate, watch, plan, jobs, signal, hasAnswered },
        isAnswering: look.isAnswering,
        checksOf: selected.checksOf,
        onFound: (operation, outcome, durationMs) => {
          const check = presenceCheck(operation.operationId);
          if (selected.isSelected(check.id) || reportsMissing(outcome, listed().shard))
            onCheck({ ...check, outcome, durationMs });
        },
      });
      hasAnswered ||= asked.length > 0;
      if (effects.every((other) => other <= effect || operationsAt(other).length === 0))
        noteNone(selected.operations, notes);
      if (signal.aborted) return;
      if (effect === 0 && operations.size > manyOperations) recorder.plan(listed().reported.length);
      const lanes = lanesOf(selected, effect, {
        ...{ contract, gate, plan, notes, hasCallers, createSession, code },
        restarts: watch.restarts,
        random: { seed, runs: 20, signal },
      });
      await runLanes(lanes, { jobs, signal, watched, onCheck });
    }
  };
  try {
    await guard.during(runChecks(), recorder.stop);
    await watch.finish();
  } finally {
    guard.close();
    // There is no report of a run that was stopped before its first check was complete.
    if (signal.aborted) await removeLeft();
  }
  const report = recorder.report({
    contract: name,
    version: document.info.version,
    packageVersion,
    target: options.url,
    ...(newestLevel === 0 ? {} : { level }),
    seed,
    serverVersion: settings.version,
    shard: listed().shard,
    operations: reportedOperations(
      [...operations.values()].map(({ operationId: id, title, ownRules }) => ({
        ...{ id, title, rules: ownRules.map((rule) => rule.id) },
      })),
      hintAtPath(notes.all(), url, path),
      listed().reported,
      { hasSucceeded: (id) => notes.hasSucceeded(id) && !isUnjudged(operations.get(id)) },
    ),
    accounts: accounts && Object.keys(accounts),
    degree,
    beyond: listed().beyond,
    rules: rules.map(toReportedRule),
    existing: listed().existing,
  });
  const late = watch.blameLate(withFaults(report.checks, guard.faults()));
  const settled = settlePresence(late, notes, selected.callsOf);
  const done = new Set(settled.map(({ id }) => id));
  const mayRun = (check: Check) =>
    operationsOf(check).every((id) => callable.has(id)) && gate.withheld(check.id, check) === undefined;
  const left = () => contract.checks.filter((check) => check.kind === "case" && !done.has(check.id));
  const judged = await discountDoubts(settled, {
    ...{ planned, notes },
    controls: () => (signal.aborted ? [] : (plan === undefined ? left() : readsIn(planned, plan)).filter(mayRun)),
    operations,
    run: async (controls) => {
      const results: CheckResult[] = [];
      const onControl = (check: CheckResult) => results.push(check);
      await runLanes(
        controls.map((check) => [toRunnable(check, createSession)]),
        { jobs, signal, watched, onCheck: onControl },
      );
      return results;
    },
  });
  await removeLeft();
  const created = creations?.list() ?? [];
  return {
    ...report,
    ...(watch.outages().length === 0 ? {} : { outages: watch.outages() }),
    ...flickers.report(),
    ...(created.length === 0 ? {} : { created }),
    stateHelp: helpForNeeds(settled, planned, source),
    checks: discountSuccesses(discountCredentials(judged, planned, operations), planned),
  };
}

/** Returns the path of one of the things that a path lists, with `{}` for its id, where that is not below the list. */
function itemPathIn(document: ContractDocument, basePath: string): (path: string) => string | undefined {
  let byPath: ReadonlyMap<string, string> | undefined;
  const read = () => {
    const places = findResources(document).flatMap(({ path, itemPath, parameter }) =>
      itemPath === undefined || path.includes("{") || itemPath === `${path}/{${parameter}}`
        ? []
        : [[`${basePath}${path}`, `${basePath}${itemPath.replace(/\{[^{}]*\}$/, "{}")}`] as const],
    );
    return new Map(places);
  };
  return (path) => {
    byPath ??= read();
    return byPath.get(path);
  };
}

interface ChecksOfRun {
  readonly contract: ContractAtLevel;
  readonly selected: SelectedChecks;
  /** As `selected` has it, but without the ids of all checks if only those of some operations were derived. */
  readonly listed: () => Omit<ReturnType<SelectedChecks["listed"]>, "existing"> & Pick<VerifyReport, "existing">;
}

/** The selected checks that have steps, probes as they are derived. */
function* selectedChecks({ checks, probed, probesOf }: SelectedChecks): Generator<Check> {
  yield* checks;
  for (const id of probed) yield* probesOf(id);
}

function some<Item>(items: Iterable<Item>, isWanted: (item: Item) => boolean): boolean {
  for (const item of items) if (isWanted(item)) return true;
  return false;
}

/** Derives the checks of a run, if possible only those of its operations. */
async function checksOf(
  source: RestContract,
  level: number,
  options: VerifyRestOptions & Required<Pick<VerifyRestOptions, "depth" | "exclude">>,
): Promise<ChecksOfRun> {
  const isMeant = probesMeant(options);
  if (isMeant !== undefined) {
    const contract = await contractAtLevel(source, level, isMeant);
    try {
      const selected = selectChecks(contract, options);
      return { contract, selected, listed: () => ({ ...selected.listed(), existing: undefined }) };
    } catch (error) {
      if (!(error instanceof CouldNotRunError)) throw error;
      // What does not exist is told from what was not derived, and similar names are found, with all checks.
    }
  }
  const contract = await contractAtLevel(source, level);
  const selected = selectChecks(contract, options);
  return { contract, selected, listed: selected.listed };
}

/** Whether no response of an operation is compared with a schema, so that no success shows that it is done. */
function isUnjudged(operation: ProbedOperation | undefined): boolean {
  const response = operation?.implied?.response;
  return operation?.ownRules.some(({ id, untestable }) => id === response && untestable !== undefined) === true;
}

/** Reports what checks in code did after they had ended. */
function withFaults(checks: readonly CheckResult[], faults: ReadonlyMap<string, string>): CheckResult[] {
  return checks.map((check) => {
    const fault = faults.get(check.id);
    if (fault === undefined) return check;
    return { ...check, outcome: { kind: "errored", reason: `The check is at fault: ${fault}`, trace: [] } };
  });
}

/** Throws a `CouldNotRunError` instead of any other error if the run was stopped before the first check. */
function beforeStop<Value>({ signal }: RunOptions, work: Promise<Value>): Promise<Value> {
  return work.catch((error: unknown) => {
    throw signal?.aborted === true ? stoppedBeforeChecks() : error;
  });
}
