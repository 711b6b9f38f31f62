import type { ContractDocument } from "../../../contract/chat/document.js";
import { listOperations } from "../../../contract/chat/operations.js";
import type { Rule } from "../../../contract/chat/rule.js";
import { listRules } from "../../../contract/chat/rules.js";
import type { Check, CheckOutcome } from "../../check.js";
import type { CheckToRun } from "../../create-selection.js";
import { needsStatesReason } from "../../run/run-steps.js";
import { NoAnswerError } from "../exchange/send-request.js";
import { lacksState, stateHelp } from "../states/catalogue.js";
import { StateSetupError } from "../states/states-client.js";
import { callerScripts } from "./caller-scripts.js";
import type { Script } from "./script.js";
import { createServerUnderTest, type Kind, NotShownError, type ServerUnderTestOptions } from "./server-under-test.js";
import { settingsScripts } from "./settings-scripts.js";
import { tusScripts } from "./tus-scripts.js";
import { uploadScripts } from "./upload-scripts.js";

const scripts: readonly Script[] = [...uploadScripts, ...tusScripts, ...callerScripts, ...settingsScripts];

/** A script with the rules of a contract that it shows. */
export interface ScriptedWorkflow {
  readonly workflowId: string;
  readonly script: Script;
  readonly rules: readonly string[];
  readonly reliesOn: readonly string[];
  /** The operations of these rules. */
  readonly calls: readonly string[];
}

/** Lists the scripts whose rules a contract has. */
export function scriptedWorkflows(contract: ContractDocument): ScriptedWorkflow[] {
  const rules = listRules(contract);
  return scripts.flatMap((script) => {
    const shown = rulesOfKinds(rules, script.kinds);
    if (shown.length === 0) return [];
    const calls = listOperations(contract).flatMap(({ operation: { operationId, "x-rules": own = [] } }) =>
      own.some(({ id }) => shown.includes(id)) ? [operationId] : [],
    );
    const reliesOn = rules.flatMap((rule) => (shown.includes(rule.id) ? (rule["shown-by"]?.["relies-on"] ?? []) : []));
    return [{ workflowId: script.workflowId, script, rules: shown, reliesOn: [...new Set(reliesOn)], calls }];
  });
}

function rulesOfKinds(rules: readonly Rule[], kinds: readonly Kind[]): string[] {
  return rules.filter((rule) => kinds.some((kind) => kind === rule["shown-by"]?.kind)).map(({ id }) => id);
}

/** The check of a scripted workflow. Its operation is the part of its name before the first hyphen. */
export function scriptedCheck({ workflowId, rules, reliesOn }: Omit<ScriptedWorkflow, "script" | "calls">): CheckToRun {
  const operation = workflowId.split("-", 1)[0] ?? "";
  return { id: `workflow ${workflowId}`, operation, rules, ...(reliesOn.length === 0 ? {} : { reliesOn }) };
}

/** The server to call. */
export interface RunScriptOptions extends Omit<ServerUnderTestOptions, "statesUrl" | "check"> {
  /** The URL of the provider states. Without it, the check is skipped. */
  readonly statesUrl?: string;
}

/** Runs a scripted workflow. Resolves to undefined if the signal is aborted. Rejects only on a fault of this package. */
export async function runScript(workflow: ScriptedWorkflow, options: RunScriptOptions): Promise<Check | undefined> {
  const started = performance.now();
  const outcome = await outcomeOf(workflow, options);
  if (outcome === undefined) return undefined;
  const durationMs = performance.now() - started;
  return { ...scriptedCheck(workflow), kind: "workflow", summary: workflow.script.summary, outcome, durationMs };
}

async function outcomeOf(
  workflow: ScriptedWorkflow,
  { statesUrl, ...options }: RunScriptOptions,
): Promise<CheckOutcome | undefined> {
  if (statesUrl === undefined) return { kind: "skipped", reason: needsStatesReason };
  const { script } = workflow;
  const server = createServerUnderTest({ ...options, statesUrl, check: scriptedCheck(workflow).id });
  try {
    const rules = listRules(options.contract);
    // A rule that this level lacks cannot be broken.
    const problems = (await script.run(server)).filter(({ kind }) => rulesOfKinds(rules, [kind]).length > 0);
    if (problems.length === 0) return { kind: "passed" };
    const kinds = problems.map(({ kind }) => kind);
    const broken = rulesOfKinds(rules, kinds);
    return {
      kind: "failed",
      problems: problems.map(({ text }) => server.mask(text)),
      broken,
      trace: await server.trace(),
    };
  } catch (error) {
    if (options.signal.aborted) return undefined;
    if (error instanceof NotShownError) return { kind: "skipped", reason: server.mask(error.message) };
    if (error instanceof NoAnswerError) return { kind: "errored", reason: error.message, trace: await server.trace() };
    if (!(error instanceof StateSetupError)) throw error;
    const { state, status, message } = error;
    const reason = server.mask(message);
    if (status === undefined) return { kind: "errored", reason, trace: await server.trace() };
    if (await lacksState({ state, status })) return { kind: "skipped", reason };
    return { kind: "errored", reason, help: await stateHelp({ state, params: {} }), trace: await server.trace() };
  }
}
