import { loadStatesCatalogue } from "../../../src/chat/contract.js";
import type { Check as PlannedCheck } from "../../../src/contract/check.js";
import { listCases } from "../../../src/contract/rest/cases.js";
import type { ContractDocument } from "../../../src/contract/rest/document.js";
import { listProbedOperations } from "../../../src/contract/rest/probed-operation.js";
import type { ResponseValidators } from "../../../src/contract/rest/validator.js";
import type { CheckResult } from "../../../src/report/model/check-result.js";
import { probeLanes } from "../../../src/verify/derive/probe-lanes.js";
import { createRestSession } from "../../../src/verify/rest/create-rest-session.js";
import { runLanes } from "../../../src/verify/run/run-lanes.js";
import { chatProbes } from "../../support/chat-probes.js";
import { chatTarget } from "../../support/chat-target.js";

/** The probes to run, and the server. */
export interface RunProbesOptions {
  readonly url: string;
  readonly statesUrl?: string;
  readonly contract: ContractDocument;
  readonly validators: ResponseValidators;
  readonly seed: number;
  /** Defaults to all. */
  readonly isSelected?: (probe: PlannedCheck) => boolean;
  /** The requests of each random probe; with 0, random probes do not run. */
  readonly runs: number;
  readonly jobs?: number;
  readonly signal?: AbortSignal;
  readonly onCheck?: (check: CheckResult) => void;
}

/** Runs probes of a contract and returns their checks. */
export async function runProbes({
  contract,
  isSelected = () => true,
  runs,
  jobs = 2,
  signal = new AbortController().signal,
  seed,
  onCheck,
  ...server
}: RunProbesOptions): Promise<CheckResult[]> {
  const cases = listCases(contract);
  const operations = new Map(listProbedOperations(contract, cases).map((one) => [one.operationId, one]));
  const chosen = (await chatProbes(contract)).filter((one) => isSelected(one) && (runs > 0 || !("varies" in one)));
  const context = {
    catalogue: await loadStatesCatalogue(),
    plain: "member",
    errorCode: "/code",
    readBack: undefined,
    needsLogin: (id: string) => operations.get(id)?.needsLogin !== false,
  };
  const { validators, ...where } = server;
  const target = await chatTarget({ ...where, signal }, { contract, operations, validators });
  const lanes = probeLanes(chosen, { operations, context, random: { seed, runs, signal } }, (id) =>
    createRestSession(target, id),
  );
  const checks: CheckResult[] = [];
  const add = (check: CheckResult) => {
    checks.push(check);
    onCheck?.(check);
  };
  await runLanes(lanes, { jobs, signal, onCheck: add });
  return checks;
}
