import { listCases } from "../../../../src/contract/chat/cases.js";
import type { ContractDocument } from "../../../../src/contract/chat/document.js";
import type { ResponseValidators } from "../../../../src/verify/chat/judge/validators.js";
import { listProbes } from "../../../../src/verify/chat/probes/list-probes.js";
import type { Probe } from "../../../../src/verify/chat/probes/probe.js";
import { probeLanes } from "../../../../src/verify/chat/probes/probe-lanes.js";
import { listProbedOperations } from "../../../../src/verify/chat/probes/probed-operation.js";
import type { Check } from "../../../../src/verify/check.js";
import { runLanes } from "../../../../src/verify/run/run-lanes.js";

/** The probes to run, and the server. */
export interface RunProbesOptions {
  readonly url: string;
  readonly statesUrl?: string;
  readonly contract: ContractDocument;
  readonly validators: ResponseValidators;
  readonly seed: number;
  /** Defaults to all. */
  readonly probes?: readonly Probe[];
  /** The requests of each random probe. Defaults to 20; with 0, random probes do not run. */
  readonly runs?: number;
  readonly jobs?: number;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  readonly onCheck?: (check: Check) => void;
}

/** Runs probes of a contract and returns their checks. */
export async function runProbes({
  contract,
  probes = listProbes(contract),
  runs = 20,
  jobs = 2,
  timeoutMs = 300_000,
  signal = new AbortController().signal,
  seed,
  onCheck,
  ...server
}: RunProbesOptions): Promise<Check[]> {
  const operations = new Map(
    listProbedOperations(contract, listCases(contract)).map((one) => [one.operationId, one]),
  );
  const checks: Check[] = [];
  const add = (check: Check) => {
    checks.push(check);
    onCheck?.(check);
  };
  const chosen = probes.filter(({ change }) => runs > 0 || !change.kind.startsWith("random-"));
  const lanes = probeLanes(chosen, { ...server, operations, timeoutMs, signal }, { ...server, seed, runs });
  await runLanes(lanes, { jobs, signal, onCheck: add });
  return checks;
}
