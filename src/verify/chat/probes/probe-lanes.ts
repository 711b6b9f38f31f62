import type { CheckOutcome } from "../../check.js";
import { createMask } from "../../mask.js";
import type { Lane, Runnable } from "../../run/run-lanes.js";
import { type CheckRun, needsStatesReason } from "../../run/run-steps.js";
import { NotApplicableError } from "../../run/session.js";
import { lacksState, stateHelp } from "../states/catalogue.js";
import { StateSetupError, type StatesClientOptions } from "../states/states-client.js";
import type { Probe } from "./probe.js";
import { createProbeOrganizations, type ProbeOrganizations } from "./probe-organizations.js";
import { type ProbedServer, runProbe, UnansweredProbeError } from "./run-probe.js";
import { runRandomProbe } from "./run-random-probe.js";

/** What random probes send. */
export interface RandomProbes {
  /** Determines the random requests. */
  readonly seed: number;
  /** The number of requests of each random probe. */
  readonly runs: number;
}

/** The maximum number of probes without states in one lane. */
const maxInLane = 30;

/**
 * Returns the checks of probes, the longest lanes first, so that no long lane starts last. Probes from the same states share an
 * organization until a request may have changed it. Without `statesUrl`, probes that need states are skipped.
 */
export function probeLanes(
  probes: readonly Probe[],
  server: ProbedServer,
  { statesUrl, ...random }: RandomProbes & { readonly statesUrl?: string },
): Lane[] {
  return lanesOf(probes).map((lane) => {
    const organizationsOf = statesUrl === undefined ? undefined : createLookup(statesUrl, server);
    const noted = new WeakSet<Error>();
    return lane.map((probe): Runnable => {
      const { id, operationId, summary, rules, reliesOn } = probe;
      const run = () => runOne(probe, server, organizationsOf, random, noted);
      return { id, kind: "probe", operation: operationId, summary, rules, reliesOn, run };
    });
  });
}

async function runOne(
  probe: Probe,
  server: ProbedServer,
  organizationsOf: ((base: Probe["base"]) => ProbeOrganizations) | undefined,
  random: RandomProbes,
  noted: WeakSet<Error>,
): Promise<CheckRun> {
  try {
    return { outcome: await outcomeOf(probe, server, organizationsOf, random), isAnswered: true };
  } catch (error) {
    server.signal.throwIfAborted();
    const isUnanswered =
      error instanceof UnansweredProbeError || (error instanceof StateSetupError && error.status === undefined);
    // Probes that start from the same states share the error of their setup, which counts once.
    const isNoted = error instanceof Error && noted.has(error);
    if (error instanceof Error) noted.add(error);
    return { outcome: await erroredBy(error, probe), isAnswered: !isUnanswered || isNoted };
  }
}

function isRandom({ kind }: Probe["change"]): boolean {
  return kind === "random-requests" || kind === "random-violations";
}

/** Groups probes by their states, the largest groups first. */
function lanesOf(probes: readonly Probe[]): Probe[][] {
  const lanes = new Map<string, Probe[]>();
  let stateless = 0;
  for (const probe of probes) {
    // Random probes change their organization, so each has its own.
    const key = isRandom(probe.change)
      ? probe.id
      : probe.states
        ? JSON.stringify(probe.base.given)
        : `stateless ${Math.floor(stateless++ / maxInLane)}`;
    const lane = lanes.get(key) ?? [];
    lanes.set(key, lane);
    lane.push(probe);
  }
  return [...lanes.values()].sort((a, b) => b.length - a.length);
}

/** Creates a function that returns the organizations of a lane for the states of a base. */
function createLookup(statesUrl: string, options: StatesClientOptions): (base: Probe["base"]) => ProbeOrganizations {
  const known = new Map<string, ProbeOrganizations>();
  return ({ given }) => {
    const key = JSON.stringify(given);
    const organizations = known.get(key) ?? createProbeOrganizations(statesUrl, given, options);
    known.set(key, organizations);
    return organizations;
  };
}

async function outcomeOf(
  probe: Probe,
  server: ProbedServer,
  organizationsOf: ((base: Probe["base"]) => ProbeOrganizations) | undefined,
  random: RandomProbes,
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
