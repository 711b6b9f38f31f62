import { packageVersion } from "../../base/versions.js";
import type { Check } from "../../contract/check.js";
import type { CheckOutcome, CheckResult } from "../../report/model/check-result.js";
import type { CreatedThing } from "../../report/model/json-report.js";
import { type ReportedOperation, toReportedRule, type VerifyReport } from "../../report/model/verify-report.js";
import { createRecorder } from "../create-recorder.js";
import type { Selected } from "../create-selection.js";
import type { RunOptions } from "../run-options.js";
import { type CodeGuard, createCodeGuard, maxCodeCalls } from "./code-guard.js";
import { discountCredentials } from "./discount-credentials.js";
import { discountDoubts } from "./discount-doubts.js";
import { discountSuccesses } from "./discount-successes.js";
import type { Gate } from "./gate.js";
import { degreeOf } from "./permission.js";
import type { Planned } from "./planned.js";
import { presenceCheck, reportsMissing, settlePresence } from "./presence-check.js";
import { createPresenceNotes, type PresenceNotes } from "./presence-notes.js";
import { reportedOperations } from "./reported-operations.js";
import { type Lane, type Runnable, runLanes, toRunnable } from "./run-lanes.js";
import type { RunTerms } from "./run-terms.js";
import { createServerWatch, type ServerState, type ServerWatch } from "./server-watch.js";
import type { Session } from "./session.js";

/** What a run checks, and how the kind of its contract does it. */
export interface RunPlan {
  readonly contract: { readonly name: string; readonly version: string };
  readonly rules: readonly Parameters<typeof toReportedRule>[0][];
  /** The server, as its user names it. */
  readonly target: string;
  readonly options: RunOptions;
  readonly terms: RunTerms;
  readonly gate: Gate;
  /** The checks that have steps. */
  readonly planned: Planned;
  /** The operations that a check calls, by its id. */
  readonly callsOf: (id: string) => readonly string[];
  readonly isSelected: (id: string) => boolean;
  readonly listed: () => Pick<Selected, "reported" | "shard" | "beyond"> & Pick<VerifyReport, "existing">;
  /** Whether listing the checks takes so long that the first operations are asked for before. Defaults to false. */
  readonly listsLate?: boolean;
  /** Connects to the server. Sends nothing yet. */
  readonly start: (run: Run) => StartedRun | Promise<StartedRun>;
}

/** What a run finds out. */
export interface Run {
  readonly signal: AbortSignal;
  readonly notes: PresenceNotes;
  readonly watch: ServerWatch;
  readonly guard: CodeGuard;
  readonly onCheck: (check: CheckResult) => void;
  /** Reports whether the server has an operation, if that was selected or is why checks are skipped. */
  readonly onFound: (operation: string, outcome: CheckOutcome, durationMs?: number) => void;
}

/** A run that is connected to its server. */
export interface StartedRun {
  readonly look: () => Promise<ServerState>;
  /** Makes sure that the server can be reached. */
  readonly reach?: () => Promise<void>;
  readonly phases: readonly Phase[];
  readonly createSession: (check: string) => Session;
  /** The checks beyond the selection that may tell whether a refusal has another cause, out of those that have no result. */
  readonly controls?: (done: ReadonlySet<string>) => readonly Check[];
  /** The operations of the contract, and what is known of them. */
  readonly operations: () => {
    readonly known: readonly Pick<ReportedOperation, "id" | "title" | "rules">[];
    readonly presence: Parameters<typeof reportedOperations>[1];
    readonly hasSucceeded: PresenceNotes["hasSucceeded"];
  };
  /** What else the report says. */
  readonly facts: (checks: readonly CheckResult[], waitedMs: number) => Partial<VerifyReport>;
  /** Removes what the run made and no check removed. */
  readonly removeLeft: () => Promise<void>;
  readonly created: () => readonly CreatedThing[];
  readonly close?: () => Promise<void>;
}

/** A part of a run: operations are asked for, then checks run. */
export interface Phase {
  readonly ask?: () => Promise<void>;
  readonly lanes: () => Iterable<Lane>;
}

/** Runs a plan. Rejects with a `CouldNotRunError` if the server cannot be reached, or the run is stopped before the first check. */
export async function runPlan(plan: RunPlan): Promise<VerifyReport> {
  const { contract, rules, target, options, terms, gate, planned, callsOf, isSelected, listed, listsLate } = plan;
  const { jobs, timeoutMs, restartWaitMs } = terms;
  const { degree, operations } = gate;
  const recorder = createRecorder(options, rules);
  const { signal, add: onCheck } = recorder;
  const notes = createPresenceNotes();
  const guard = createCodeGuard(maxCodeCalls * timeoutMs);
  const look = () => started.look();
  const watch = createServerWatch({ look, isDisposable: degree === "everything", restartWaitMs, signal });
  const onFound: Run["onFound"] = (operation, outcome, durationMs = 0) => {
    const check = presenceCheck(operation);
    if (isSelected(check.id) || reportsMissing(outcome, listed().shard)) onCheck({ ...check, outcome, durationMs });
  };
  const watched = ({ id, summary, run }: Runnable) => {
    const check = planned.get(id);
    const isRead = check !== undefined && degreeOf(check, gate) === "reads";
    return watch.run({ id, calls: callsOf(id), isRead, summary, run });
  };
  const started = await plan.start({ signal, notes, watch, guard, onCheck, onFound });
  let waitedMs = 0;
  const runPhases = async () => {
    for (const [index, phase] of started.phases.entries()) {
      await phase.ask?.();
      if (signal.aborted) return;
      if (listsLate && index === 0) recorder.plan(listed().reported.length);
      waitedMs += await runLanes(phase.lanes(), { jobs, signal, watched, onCheck });
    }
  };
  const runControls = async (controls: readonly Check[]) => {
    const results: CheckResult[] = [];
    const lanes = controls.map((check) => [toRunnable(check, started.createSession)]);
    await runLanes(lanes, { jobs, signal, watched, onCheck: (check) => results.push(check) });
    return results;
  };
  const run = async (): Promise<VerifyReport> => {
    await started.reach?.();
    if (!listsLate) recorder.plan(listed().reported.length);
    await guard.during(runPhases(), recorder.stop);
    await watch.finish();
    const { reported, shard, beyond, existing } = listed();
    const { known, presence, hasSucceeded } = started.operations();
    const report = recorder.report({
      ...{ contract: contract.name, version: contract.version, packageVersion, target, degree },
      ...{ shard, beyond, existing, rules: rules.map(toReportedRule) },
      operations: reportedOperations(known, presence, reported, { hasSucceeded }),
    });
    const late = watch.blameLate(withFaults(report.checks, guard.faults()));
    const settled = settlePresence(late, notes, callsOf);
    const done = new Set(settled.map(({ id }) => id));
    const judged = await discountDoubts(settled, {
      ...{ planned, notes, operations, run: runControls },
      controls: () => (signal.aborted ? [] : (started.controls?.(done) ?? [])),
    });
    return {
      ...report,
      ...started.facts(settled, waitedMs),
      ...(watch.outages().length === 0 ? {} : { outages: watch.outages() }),
      checks: discountSuccesses(discountCredentials(judged, planned, operations), planned),
    };
  };
  let report: VerifyReport;
  try {
    report = await run();
  } finally {
    guard.close();
    // What a stopped run made goes as well.
    if (degree !== "reads") await started.removeLeft();
    await started.close?.();
  }
  const created = started.created();
  return { ...report, ...(created.length === 0 ? {} : { created }) };
}

/** Reports what checks in code did after they had ended. */
function withFaults(checks: readonly CheckResult[], faults: ReadonlyMap<string, string>): CheckResult[] {
  return checks.map((check) => {
    const fault = faults.get(check.id);
    if (fault === undefined) return check;
    return { ...check, outcome: { kind: "errored", reason: `The check is at fault: ${fault}`, trace: [] } };
  });
}
