import { listCases } from "../../../contract/chat/cases.js";
import type { ContractDocument } from "../../../contract/chat/document.js";
import type { Check, CheckOutcome } from "../../check.js";
import { createMask } from "../../mask.js";
import { runAll } from "../../run-all.js";
import { serverDownReason } from "../../server-down.js";
import type { ResponseValidators } from "../judge/validators.js";
import { createServerPresence, type ServerPresence } from "../server/server-presence.js";
import { needsStatesReason } from "../states/case-setup.js";
import { lacksState, stateHelp } from "../states/catalogue.js";
import { StateSetupError, type StatesClientOptions } from "../states/states-client.js";
import { listProbes } from "./list-probes.js";
import { NotApplicableError } from "./prepare-request.js";
import type { Probe } from "./probe.js";
import { createProbeOrganizations, type ProbeOrganizations } from "./probe-organizations.js";
import { listProbedOperations } from "./probed-operation.js";
import { type ProbedServer, runProbe, UnansweredProbeError } from "./run-probe.js";
import { runRandomProbe } from "./run-random-probe.js";

/** How to run probes. */
export interface RunProbesOptions {
  /** The URL of the chat API without `/api/v1`, such as `http://127.0.0.1:4010`. */
  readonly url: string;
  /** The URL of the provider states. Without it, probes that need them are skipped. */
  readonly statesUrl?: string;
  /** The contract as of the level of the server. */
  readonly contract: ContractDocument;
  /** Its response validators. */
  readonly validators: ResponseValidators;
  /** Determines the random requests. */
  readonly seed: number;
  /** The number of requests of each random probe. Defaults to 20; with 0, no random probe runs. */
  readonly runs?: number;
  /** The number of concurrent probes. Defaults to 4. */
  readonly jobs?: number;
  /** The time limit of one request. Defaults to 10,000. */
  readonly timeoutMs?: number;
  /** Aborts the run. Probes that have not finished give no check. */
  readonly signal?: AbortSignal;
  /** Tracks whether the server responds; once it does not, no more probes are sent. Defaults to one for this run. */
  readonly presence?: ServerPresence;
  /** The probes of the contract to run. Defaults to all. */
  readonly probes?: readonly Probe[];
  /** Called with each check as soon as it has finished. */
  readonly onCheck?: (check: Check) => void;
  /** Runs a group of probes once the rest of the verification has free capacity. By default, runs it at once. */
  readonly hold?: (work: () => Promise<void>) => Promise<void>;
}

/** Probes from the same states, which run one after another. */
interface Lane {
  readonly probes: Probe[];
}

/** The maximum number of probes without states in one lane. */
const maxInLane = 30;

/**
 * Runs the probes of a contract against a server and returns their checks in any order. Probes from the same states share an organization
 * until a request may have changed it. Never rejects: a probe that fails through a fault of this package is `errored`.
 */
export async function runProbes(options: RunProbesOptions): Promise<Check[]> {
  const { contract, statesUrl, probes = listProbes(contract), runs = 20, jobs = 4, onCheck } = options;
  const { presence = createServerPresence(), hold = (work) => work() } = options;
  const signal = options.signal ?? new AbortController().signal;
  const server: ProbedServer = {
    url: options.url,
    validators: options.validators,
    timeoutMs: options.timeoutMs ?? 10_000,
    signal,
    operations: new Map(
      listProbedOperations(contract, listCases(contract)).map((operation) => [operation.operationId, operation]),
    ),
  };
  const random = { seed: options.seed, runs };
  const checks: Check[] = [];
  const noteAnswer = createNote(presence);
  const toRun = probes.filter(({ change }) => runs > 0 || !isRandom(change));
  const runLane = async (lane: Lane) => {
    const organizationsOf = createLookup(statesUrl, { timeoutMs: server.timeoutMs, signal });
    for (const probe of lane.probes) {
      if (signal.aborted) return;
      const started = performance.now();
      const outcome = presence.isGone
        ? goneOutcome
        : await outcomeOf(probe, server, statesUrl === undefined ? undefined : organizationsOf, random).catch(
            (error: unknown) => {
              noteAnswer(error);
              return erroredBy(error, probe);
            },
          );
      if (signal.aborted) return;
      if (outcome.kind === "passed" || outcome.kind === "failed") presence.note(true);
      const check = toCheck(probe, outcome, performance.now() - started);
      checks.push(check);
      onCheck?.(check);
    }
  };
  await runAll(lanesOf(toRun), jobs, (lane) => hold(() => runLane(lane)), signal);
  return checks;
}

const goneOutcome: CheckOutcome = {
  kind: "errored",
  reason: serverDownReason,
  trace: [],
};

/** Creates a function that records whether an error means that there was no response. */
function createNote(presence: ServerPresence): (error: unknown) => void {
  const noted = new WeakSet<Error>();
  return (error) => {
    const isUnanswered =
      error instanceof UnansweredProbeError || (error instanceof StateSetupError && error.status === undefined);
    // Probes that start from the same states share the error of their setup.
    if (!isUnanswered || noted.has(error)) return;
    noted.add(error);
    presence.note(false);
  };
}

function isRandom({ kind }: Probe["change"]): boolean {
  return kind === "random-requests" || kind === "random-violations";
}

/** Groups probes into lanes, the longest first, so that no long lane starts last. */
function lanesOf(probes: readonly Probe[]): Lane[] {
  const lanes = new Map<string, Lane>();
  let stateless = 0;
  for (const probe of probes) {
    // Random probes change their organization, so each has its own.
    const key = isRandom(probe.change)
      ? probe.id
      : probe.states
        ? JSON.stringify(probe.base.given)
        : `stateless ${Math.floor(stateless++ / maxInLane)}`;
    const lane = lanes.get(key) ?? { probes: [] };
    lanes.set(key, lane);
    lane.probes.push(probe);
  }
  return [...lanes.values()].sort((a, b) => b.probes.length - a.probes.length);
}

/** Creates a function that returns the organizations of a lane for the states of a base. */
function createLookup(
  statesUrl: string | undefined,
  options: StatesClientOptions,
): (base: Probe["base"]) => ProbeOrganizations {
  const known = new Map<string, ProbeOrganizations>();
  return ({ given }) => {
    const key = JSON.stringify(given);
    const organizations = known.get(key) ?? createProbeOrganizations(statesUrl ?? "", given, options);
    known.set(key, organizations);
    return organizations;
  };
}

async function outcomeOf(
  probe: Probe,
  server: ProbedServer,
  organizationsOf: ((base: Probe["base"]) => ProbeOrganizations) | undefined,
  random: { readonly seed: number; readonly runs: number },
): Promise<CheckOutcome> {
  if (probe.states && organizationsOf === undefined) {
    return { kind: "skipped", reason: needsStatesReason };
  }
  try {
    if (isRandom(probe.change)) return await runRandomProbe(probe, server, organizationsOf, random);
    return await runProbe(probe, server, organizationsOf?.(probe.base));
  } catch (error) {
    if (error instanceof NotApplicableError) return { kind: "skipped", reason: error.message };
    throw error;
  }
}

async function erroredBy(error: unknown, { base }: Probe): Promise<CheckOutcome> {
  const reason = createMask([])(error instanceof Error ? error.message : String(error));
  const trace = error instanceof UnansweredProbeError ? error.trace : [];
  // Help on the format of responses is useless if there was no response.
  if (!(error instanceof StateSetupError) || error.status === undefined) return { kind: "errored", reason, trace };
  const { state, status } = error;
  const params = base.given.find((given) => given.state === state)?.params ?? {};
  if (await lacksState({ state, status })) return { kind: "skipped", reason };
  return { kind: "errored", reason, help: await stateHelp({ state, params }), trace };
}

function toCheck(
  { id, operationId, summary, rules, reliesOn }: Probe,
  outcome: CheckOutcome,
  durationMs: number,
): Check {
  return { id, kind: "probe", operation: operationId, summary, rules, reliesOn, outcome, durationMs };
}
