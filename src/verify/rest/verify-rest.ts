import { packageVersion } from "../../base/versions.js";
import { callsOf } from "../../contract/calls.js";
import { basePath } from "../../contract/rest/base-path.js";
import { conventionsOf } from "../../contract/rest/conventions.js";
import type { RestContract } from "../../contract/rest/rest-contract.js";
import { secretPlaces } from "../../contract/rest/security.js";
import { CouldNotRunError, stoppedBeforeChecks } from "../could-not-run-error.js";
import { createRecorder } from "../create-recorder.js";
import { createFlickerCount } from "../http/flicker-count.js";
import { isSafe, type ReadyRequest } from "../http/send-request.js";
import { discountSuccesses } from "../judge/discount-successes.js";
import type { CheckResult } from "../model/check-result.js";
import { toReportedRule, type VerifyReport } from "../model/verify-report.js";
import { presenceCheck, reportsMissing, settlePresence } from "../run/presence-check.js";
import { createPresenceNotes } from "../run/presence-notes.js";
import { methodOf } from "../run/removals.js";
import { reportedOperations } from "../run/reported-operations.js";
import { type Runnable, runLanes } from "../run/run-lanes.js";
import { needsStates } from "../run/run-steps.js";
import { createServerWatch } from "../run/server-watch.js";
import { type RunOptions, requireInteger, resolveRunOptions, resolveSeed } from "../run-options.js";
import { statesEndpoint } from "../states/states-endpoint.js";
import { accountCandidates, describeWrites, planAccounts } from "./account-run.js";
import type { Accounts } from "./accounts.js";
import { contractAtLevel } from "./contract-at-level.js";
import { createRestSession } from "./create-rest-session.js";
import { discountDoubts, readsIn } from "./discount-doubts.js";
import { parseHeaders } from "./extra-headers.js";
import { createKnownValues } from "./known-values.js";
import { checksOfAccounts, lanesOf, toRunnable } from "./lanes-of.js";
import { createServerLook } from "./look-at-server.js";
import { helpForNeeds } from "./needed-states.js";
import { findOperations, nowhere } from "./operation-presence.js";
import { readLevel } from "./read-level.js";
import { rulesAtLevel } from "./rules-at-level.js";
import { selectChecks, titleOf } from "./select-checks.js";
import { requirePrerequisites } from "./server/prerequisites.js";
import type { ServerSettings } from "./server/read-server-settings.js";
import { apiUrl, hintAtPath } from "./server/server-urls.js";

/** The server to verify, and how. */
export interface VerifyRestOptions extends RunOptions {
  /** The URL of the API, with its path, such as `http://127.0.0.1:4011/api/v1`. */
  readonly url: string;
  /** The URL for setups of provider states. Without it, checks that need them are skipped. */
  readonly statesUrl?: string;
  /** Accounts of a real organization, which are the callers of checks if there are no provider states. */
  readonly accounts?: Accounts;
  /** Called before the first check with what those checks will write, a line for each request. */
  readonly onWrites?: (lines: readonly string[]) => void;
  /**
   * Values of parameters that the server has, by the name of the parameter or the path up to it, such as `/orders/{id}`. They are sent
   * instead of the examples of the document. Beside those of `accord.yaml`, which they replace. Defaults to none.
   */
  readonly values?: Readonly<Record<string, unknown>>;
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
  const { jobs, timeoutMs, restartWaitMs } = resolveRunOptions(options);
  const seed = resolveSeed(options.seed);
  const { name, document, states, newestLevel } = source;
  const { accounts, degree = "reads" } = options;
  const path = basePath(document);
  const url = apiUrl(options.url, { name, path, servers: document.servers });
  if (options.level !== undefined) requireInteger("level", options.level, 0, newestLevel);
  const { headers, secrets } = parseHeaders(options.headers ?? [], secretPlaces(document).headers);
  if (accounts !== undefined && options.statesUrl !== undefined)
    throw new CouldNotRunError("Give either provider states or accounts, because states have accounts of their own");
  const statesUrl = options.statesUrl === undefined ? undefined : statesEndpoint(options.statesUrl);
  const settings: ServerSettings =
    options.level === undefined
      ? await beforeStop(options, readLevel(source, url, { timeoutMs, headers, signal: options.signal }))
      : { level: options.level };
  // A newer server still has to keep the newest contract known here.
  const level = Math.min(settings.level, newestLevel);
  const contract = await contractAtLevel(source, level);
  const { operations, context, validators } = contract;
  const rules = rulesAtLevel(contract.contract, level);
  const selected = selectChecks(contract, options);
  const server = { url, ...(statesUrl === undefined ? {} : { statesUrl }), document, states };
  const limits = { timeoutMs, headers, signal: options.signal ?? new AbortController().signal };
  if ([...selected.checks, ...selected.probes].some(needsStates))
    await beforeStop(options, requirePrerequisites({ ...server, operations }, limits));
  const plan =
    accounts === undefined
      ? undefined
      : await beforeStop(
          options,
          planAccounts(server, accounts, { allowsWrites: degree !== "reads", operations }, limits),
        );
  if (plan?.allowsWrites) options.onWrites?.(describeWrites(checksOfAccounts(selected, plan), plan));
  const recorder = createRecorder(options, rules);
  recorder.plan(selected.reported.length);
  const { signal, add: onCheck } = recorder;
  const notes = createPresenceNotes();
  const look = createServerLook(`${url}${nowhere}`, { timeoutMs, signal });
  const watch = createServerWatch({ look: look.look, restartWaitMs, signal });
  const flickers = createFlickerCount();
  const isDisposable = statesUrl !== undefined || degree === "everything";
  const { planned } = selected;
  const isRead = (id: string) => callsOf(planned.get(id)).every((call) => isSafe(methodOf(call, operations)));
  const watched = ({ id, run }: Runnable) => {
    const isRepeatable = isDisposable || (planned.has(id) && isRead(id));
    return watch.run({ id, calls: selected.callsOf(id), isRepeatable, run });
  };
  const onAnswer = (request: ReadyRequest, tookMs: number) => {
    watch.noteAnswer(`${request.method} ${new URL(request.url).pathname}`);
    look.noteAnswer(request, tookMs);
  };
  const known = createKnownValues(operations.values(), { ...conventionsOf(document).values, ...options.values });
  const target = {
    onAnswer,
    onFlicker: flickers.note,
    ...{ ...server, ...(accounts === undefined ? {} : { accounts }), headers, secrets },
    ...{ operations, validators, notes, known, timeoutMs, signal, isNewer: settings.level > newestLevel },
  };
  const createSession = (id: string) => createRestSession(target, id);
  await findOperations(selected.operations, {
    ...{ url, context, createSession, notes, watch, isDisposable, known },
    ...(plan === undefined
      ? {}
      : { candidates: (operation) => accountCandidates(operation, [...contract.checks, ...contract.probes], plan) }),
    jobs,
    signal,
    onFound: (operation, outcome, durationMs) => {
      const check = presenceCheck(operation.operationId);
      if (selected.isSelected(check.id) || reportsMissing(outcome, selected.shard))
        onCheck({ ...check, outcome, durationMs });
    },
  });
  const lanes = lanesOf(selected, {
    ...{ contract, plan, notes, hasCallers: statesUrl !== undefined || plan !== undefined, createSession },
    restarts: watch.restarts,
    random: { seed, runs: 20, signal },
    code: {
      url: url.endsWith(path) ? url.slice(0, url.length - path.length) : url,
      apiPath: { documented: path, actual: new URL(url).pathname.replace(/\/+$/, "") },
      ...{ contract: contract.contract, level, signal },
    },
  });
  await runLanes(lanes, { jobs, signal, watched, onCheck });
  const report = recorder.report({
    contract: name,
    version: document.info.version,
    packageVersion,
    target: options.url,
    ...(newestLevel === 0 ? {} : { level }),
    seed,
    ...(settings.version === undefined ? {} : { serverVersion: settings.version }),
    ...(selected.shard === undefined ? {} : { shard: selected.shard }),
    operations: reportedOperations(
      [...operations.values()].map(({ operationId: id, ownRules, ...operation }) => ({
        ...{ id, title: titleOf(operation) },
        rules: ownRules.map((rule) => rule.id),
      })),
      hintAtPath(notes.all(), url, path),
      selected.reported,
      notes,
    ),
    ...(accounts === undefined ? {} : { accounts: Object.keys(accounts) }),
    ...(selected.beyond === undefined ? {} : { beyond: selected.beyond }),
    rules: rules.map(toReportedRule),
    existing: selected.existing,
  });
  const settled = settlePresence(report.checks, notes, selected.callsOf);
  const judged = await discountDoubts(settled, {
    ...{ planned, notes },
    controls: plan === undefined ? planned : readsIn(planned, plan),
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
  return {
    ...report,
    ...(watch.outages().length === 0 ? {} : { outages: watch.outages() }),
    ...flickers.report(),
    stateHelp: helpForNeeds(settled, planned, source),
    checks: discountSuccesses(judged, [...planned.values()]),
  };
}

/** Throws a `CouldNotRunError` instead of any other error if the run was stopped before the first check. */
function beforeStop<Value>({ signal }: RunOptions, work: Promise<Value>): Promise<Value> {
  return work.catch((error: unknown) => {
    throw signal?.aborted === true ? stoppedBeforeChecks() : error;
  });
}
