import { CouldNotRunError, stoppedBeforeChecks } from "../../base/could-not-run-error.js";
import { parseUrl } from "../../base/parse-url.js";
import { requireInteger } from "../../base/require-integer.js";
import { operationsOf } from "../../contract/calls.js";
import type { Check } from "../../contract/check.js";
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
import type { VerifyReport } from "../../report/model/verify-report.js";
import { withCertificate } from "../../wire/client-certificate.js";
import { createAllowance, createOperationMatcher } from "../create-selection.js";
import { isSafe } from "../http/call-http.js";
import { parseHeaders } from "../http/extra-headers.js";
import { createFlickerCount } from "../http/flicker-count.js";
import type { RequestAbout } from "../http/no-answer-error.js";
import { createThrottle, type Flicker, type ReadyRequest } from "../http/send-request.js";
import { derivedPlan } from "../run/at-depth.js";
import { createCreations, maxRemovingMs } from "../run/creations.js";
import { readsIn } from "../run/discount-doubts.js";
import { createGate } from "../run/gate.js";
import { type Effect, effects } from "../run/permission.js";
import { type Run, runPlan, type StartedRun } from "../run/run-plan.js";
import { needsStates } from "../run/run-steps.js";
import { runTerms, type ServerOptions } from "../run/run-terms.js";
import { type RunOptions, resolveSeed } from "../run-options.js";
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
export interface VerifyRestOptions extends ServerOptions {
  /** The URL of the API, with its path, such as `http://127.0.0.1:4011/api/v1`. */
  readonly url: string;
  /** Accounts of a real organization, which are the callers of checks if there are no provider states. */
  readonly accounts?: Accounts;
  /** Called before the first check with what those checks will write, a line for each request. */
  readonly onWrites?: (lines: readonly string[]) => void;
  /**
   * Values of parameters that the server has, by the name of the parameter or the path up to it, such as `/orders/{id}`. They are sent
   * instead of the examples of the document. Beside those of `accord.yaml`, which they replace. Defaults to none.
   */
  readonly values?: Readonly<Record<string, unknown>>;
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
  const { name, document, states, newestLevel } = source;
  const { accounts } = options;
  const path = basePath(document);
  const url = apiUrl(options.url, { name, path, servers: document.servers });
  if (options.level !== undefined) requireInteger("level", options.level, 0, newestLevel);
  const seed = resolveSeed(options.seed);
  const { headers, secrets } = parseHeaders(options.headers ?? [], secretPlaces(document).headers);
  const terms = runTerms(source, options);
  const { jobs, timeoutMs, pace, exclude, statesUrl, degree, depth } = terms;
  const hasStates = statesUrl !== undefined;
  if (accounts !== undefined && hasStates)
    throw new CouldNotRunError("Give either provider states or accounts, because states have accounts of their own");
  if (accounts !== undefined && loginKinds(document).size === 0)
    throw new CouldNotRunError(
      `The document of ${name} names no security scheme by which an account can log in: give --header, such as --header 'Authorization: Bearer TOKEN'`,
    );
  const settings: ServerSettings =
    options.level === undefined
      ? await beforeStop(options, readLevel(source, url, { timeoutMs, headers, signal: options.signal, pace, exclude }))
      : { level: options.level };
  // A newer server still has to keep the newest contract known here.
  const level = Math.min(settings.level, newestLevel);
  const { contract, selected } = await checksOf(source, level, { ...options, depth, exclude });
  const { operations, context, validators } = contract;
  const { planned } = selected;
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

  const start = ({ signal, notes, watch, guard, onFound }: Run): StartedRun => {
    const look = createServerLook(`${url}${nowhere}`, { timeoutMs, headers, signal, pace });
    const flickers = createFlickerCount();
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
      ...{ ...server, accounts, headers, secrets, operations, validators, notes, known },
      ...{ timeoutMs, signal, pace, throttle, isNewer: settings.level > newestLevel },
      ...(degree === "undone" ? { refusals: { areLost: false, responses: new Map() } } : {}),
      ...{ refuse: gate.refuse, creations },
    };
    const createSession = (id: string) => createRestSession(target, id);
    const code = {
      url: url.endsWith(path) ? url.slice(0, url.length - path.length) : url,
      apiPath: { documented: path, actual: apiPath },
      ...{ contract: contract.contract, level, signal, guard },
    };
    const operationsAt = (effect: Effect) =>
      selected.operations.filter((operation) => gate.effectOfOperation(operation) === effect);
    let hasAnswered = false;
    const askAt = async (effect: Effect) => {
      const asked = operationsAt(effect);
      await askOperations(asked, {
        ...{ url, context, createSession, notes, known, gate, watch, plan, jobs, signal, hasAnswered },
        ...{ isAnswering: look.isAnswering, checksOf: selected.checksOf },
        onFound: ({ operationId }, outcome, durationMs) => onFound(operationId, outcome, durationMs),
      });
      hasAnswered ||= asked.length > 0;
      if (effects.every((other) => other <= effect || operationsAt(other).length === 0))
        noteNone(selected.operations, notes);
    };
    const mayRun = (check: Check) =>
      operationsOf(check).every((id) => callable.has(id)) && gate.withheld(check.id, check) === undefined;
    return {
      ...{ createSession, look: look.look },
      // What destroys comes last, so that it spoils nothing.
      phases: effects.map((effect) => ({
        ask: () => askAt(effect),
        lanes: () =>
          lanesOf(selected, effect, {
            ...{ contract, gate, plan, notes, hasCallers, createSession, code },
            restarts: watch.restarts,
            random: { seed, runs: 20, signal },
          }),
      })),
      controls: (done) => {
        const left = () => contract.checks.filter(({ kind, id }) => kind === "case" && !done.has(id));
        return (plan === undefined ? left() : readsIn(planned, plan)).filter(mayRun);
      },
      operations: () => ({
        known: [...operations.values()].map(({ operationId: id, title, ownRules }) => ({
          ...{ id, title, rules: ownRules.map((rule) => rule.id) },
        })),
        presence: hintAtPath(notes.all(), url, path),
        hasSucceeded: (id) => notes.hasSucceeded(id) && !isUnjudged(operations.get(id)),
      }),
      facts: (checks) => ({
        ...(newestLevel === 0 ? {} : { level }),
        ...{ seed, serverVersion: settings.version, accounts: accounts && Object.keys(accounts) },
        ...flickers.report(),
        stateHelp: helpForNeeds(checks, planned, source),
      }),
      removeLeft: async () => {
        const ending = { ...target, signal: AbortSignal.timeout(maxRemovingMs) };
        await removeCreated(creations?.removable({ isSure: degree === "undone" }) ?? [], {
          ...{ operations: callable, gate, basePath: apiPath, as: plainCaller(document) },
          createSession: () => createRestSession(ending, "removal"),
        });
      },
      created: () => creations?.list() ?? [],
    };
  };
  return runPlan({
    ...{ contract: { name, version: document.info.version }, rules, target: options.url, options, terms, gate },
    ...{ ...selected, listsLate: operations.size > manyOperations, start },
  });
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
): Promise<{ readonly contract: ContractAtLevel; readonly selected: SelectedChecks }> {
  const isMeant = probesMeant(options);
  if (isMeant !== undefined) {
    const contract = await contractAtLevel(source, level, isMeant);
    try {
      const selected = selectChecks(contract, options);
      // The ids of those that were not derived are unknown.
      return { contract, selected: { ...selected, listed: () => ({ ...selected.listed(), existing: undefined }) } };
    } catch (error) {
      if (!(error instanceof CouldNotRunError)) throw error;
      // What does not exist is told from what was not derived, and similar names are found, with all checks.
    }
  }
  const contract = await contractAtLevel(source, level);
  return { contract, selected: selectChecks(contract, options) };
}

/** Whether no response of an operation is compared with a schema, so that no success shows that it is done. */
function isUnjudged(operation: ProbedOperation | undefined): boolean {
  const response = operation?.implied?.response;
  return operation?.ownRules.some(({ id, untestable }) => id === response && untestable !== undefined) === true;
}

/** Throws a `CouldNotRunError` instead of any other error if the run was stopped before the first check. */
function beforeStop<Value>({ signal }: RunOptions, work: Promise<Value>): Promise<Value> {
  return work.catch((error: unknown) => {
    throw signal?.aborted === true ? stoppedBeforeChecks() : error;
  });
}
