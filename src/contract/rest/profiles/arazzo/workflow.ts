import type { Operation } from "../../../../request/operation.js";
import { expectedOf } from "../../../calls.js";
import type { CallStep, StateStep, Step } from "../../../check.js";
import { expressionsIn } from "../../../expressions.js";
import { mapTexts } from "../../../map-texts.js";
import { type CredentialFields, credentialFields } from "../../conventions.js";
import type { ContractDocument } from "../../document.js";
import { withoutReadBacks } from "../../level/workflows-at-level.js";
import { listOperations } from "../../operations.js";
import { alternativeFor, documentLogin, type LoginScheme, loginOf } from "../../security.js";
import { type Workflow, workflowName } from "../../workflows.js";
import { bodyCriteria, type Criterion, criteriaOf } from "./criteria.js";
import { requestOf } from "./request.js";
import { type ArazzoInputs, type ArazzoTexts, createTexts, NotInArazzoError } from "./texts.js";

/** The OpenAPI document that an Arazzo document refers to. */
export interface OpenApiSource {
  readonly name: string;
  readonly document: ContractDocument;
  readonly operations: ReadonlyMap<string, Operation>;
}

/** A workflow of an Arazzo document. */
export interface ArazzoWorkflow {
  readonly workflowId: string;
  readonly summary: string;
  /** The file and line of its source. */
  readonly "x-source": string;
  readonly "x-rules": readonly string[];
  readonly "x-relies-on"?: readonly string[];
  /** The steps of the source that are not here, with the reason. */
  readonly "x-left-out"?: readonly LeftOut[];
  readonly inputs?: ArazzoInputs;
  readonly steps: readonly object[];
}

/** A step that is not in a document. */
export interface LeftOut {
  readonly step: string;
  readonly reason: string;
}

/** A step as in the document, but for the outputs that later steps need. */
interface WrittenStep {
  readonly step: Step;
  readonly written: object;
}

/**
 * Writes a workflow as Arazzo. Leaves out the steps that Arazzo or Respect cannot express, those that use their values, and all later ones
 * if such a step may change something. Undefined if no step that shows a rule remains.
 */
export function arazzoWorkflow(source: Workflow, api: OpenApiSource): ArazzoWorkflow | undefined {
  // Respect compares no responses of two steps, so reads around a refused request would show nothing.
  const workflow = withoutReadBacks(source);
  const texts = createTexts(workflow);
  const kept: WrittenStep[] = [];
  const leftOut: LeftOut[] = [];
  let end: string | undefined;
  for (const step of workflow.steps) {
    const result = end === undefined ? writeOrReason(step, leftOut) : `it follows ${end}`;
    if (typeof result === "object") {
      kept.push({ step, written: result });
      continue;
    }
    leftOut.push({ step: step.id, reason: result });
    if (mayChangeSomething(step, api)) end ??= step.id;
  }
  const rules = rulesOf(workflow, kept, leftOut.length === 0);
  if (rules.length === 0 || kept.every(({ step }) => step.kind === "state")) return undefined;
  const inputs = texts.inputs();
  return {
    workflowId: workflowName(workflow),
    summary: workflow.summary,
    "x-source": workflow.source,
    "x-rules": rules,
    ...(workflow.reliesOn === undefined ? {} : { "x-relies-on": workflow.reliesOn }),
    ...(leftOut.length === 0 ? {} : { "x-left-out": leftOut }),
    ...(inputs === undefined ? {} : { inputs }),
    steps: kept.map(({ step, written }) => {
      const outputs = texts.outputsOf(step);
      return outputs === undefined ? written : { ...written, outputs };
    }),
  };

  function writeOrReason(step: Step, before: readonly LeftOut[]): object | string {
    const needed = expressionsIn(step).map((expression) => expression.split(".")[0]);
    const missing = before.find((one) => needed.includes(one.step));
    if (missing !== undefined) return `it needs ${missing.step}`;
    try {
      return writeStep(step, workflow, api, texts);
    } catch (error) {
      if (error instanceof NotInArazzoError) return error.message;
      throw error;
    }
  }
}

/** Whether steps after this one may depend on it even if they use none of its values. */
function mayChangeSomething(step: Step, { operations }: OpenApiSource): boolean {
  if (step.kind !== "call" || step.precondition) return true;
  const { method = "" } = (step.call === undefined ? step.request : operations.get(step.call)) ?? {};
  return !["get", "head"].includes(method.toLowerCase());
}

/** The rules that the remaining steps show. Those that no step names need them all. */
function rulesOf({ rules, steps }: Workflow, kept: readonly WrittenStep[], isWhole: boolean): readonly string[] {
  const named = new Set(steps.flatMap((step) => step.rules ?? []));
  const shown = new Set(kept.flatMap(({ step }) => step.rules ?? []));
  return rules.filter((rule) => shown.has(rule) || (isWhole && !named.has(rule)));
}

/** What a step may have in Arazzo. */
const known: ReadonlySet<string> = new Set<keyof StateStep | keyof CallStep>([
  ...(["kind", "id", "rules", "expect"] as const),
  ...(["state", "params", "fresh", "values", "defaults", "rename"] as const),
  ...(["as", "call", "with", "written", "headers", "outputs"] as const),
]);

function writeStep(step: Step, workflow: Workflow, api: OpenApiSource, texts: ArazzoTexts): object {
  const other = Object.keys(step).find((key) => !known.has(key));
  if (other !== undefined && step.kind !== "parallel")
    throw new NotInArazzoError(`Arazzo has nothing like \`${other}\``);
  switch (step.kind) {
    case "state":
      return writeState(step, workflow, texts);
    case "call":
      return writeCall(step, api, texts);
    case "serve":
      throw new NotInArazzoError("Arazzo starts no hosts");
    case "parallel":
      throw new NotInArazzoError("Arazzo has no parallel steps");
  }
}

function writeState(step: StateStep, { id, steps }: Workflow, texts: ArazzoTexts): object {
  const isFirst = steps.find(({ kind }) => kind === "state") === step;
  const { state, fresh = false, expect = {} } = step;
  const organization = isFirst || fresh ? {} : { organization: texts.reference(`${firstState(steps)}.organization`) };
  const params = { ...organization, ...(mapTexts(step.params, texts.text) as object) };
  const payload = {
    state,
    ...(Object.keys(params).length === 0 ? {} : { params }),
    action: "setup",
    check: id,
  };
  return {
    ...headOf(step, texts),
    operationId: "$sourceDescriptions.states.changeState",
    requestBody: { contentType: "application/json", payload },
    successCriteria: [{ condition: "$statusCode == 200" }, ...bodyCriteria(expect, texts)] satisfies Criterion[],
  };
}

function firstState(steps: readonly Step[]): string {
  return steps.find(({ kind }) => kind === "state")?.id ?? "";
}

function writeCall(step: CallStep, api: OpenApiSource, texts: ArazzoTexts): object {
  const inputs = api.operations.get(step.call ?? "");
  if (inputs === undefined) throw new NotInArazzoError("no operation describes the request");
  const security = securityOf(step, api.document, texts);
  return {
    ...headOf(step, texts),
    operationId: `$sourceDescriptions.${api.name}.${step.call}`,
    ...(security.length === 0 ? {} : { "x-security": security }),
    ...requestOf(step, inputs, texts),
    successCriteria: criteriaOf(expectedOf(step), texts),
  };
}

function headOf(step: Step, texts: ArazzoTexts): object {
  return { stepId: texts.stepId(step), ...(step.rules === undefined ? {} : { "x-rules": step.rules }) };
}

/** The credentials of a call, by the security schemes of its operation. */
function securityOf({ as, call }: CallStep, document: ContractDocument, texts: ArazzoTexts): object[] {
  if (as === "nobody") return [];
  const { operation } = listOperations(document).find((one) => one.operation.operationId === call) ?? {};
  const own = loginOf(document, operation ?? {}).alternatives;
  const alternatives = own.length > 0 ? own : documentLogin(document).alternatives;
  const fields = credentialFields(document);
  const known = typeof as === "string" ? undefined : as;
  const schemes = known === undefined ? (alternatives[0] ?? []) : alternativeFor(alternatives, known, fields);
  const value = (field: string) =>
    texts.text(known === undefined ? `$credentials.${as}.${field}` : (known[field] ?? ""));
  return schemes.map((scheme) => ({ schemeName: scheme.id, values: valuesOf(scheme, fields, value) }));
}

/** The values that Redocly's Respect takes for a scheme. */
function valuesOf(scheme: LoginScheme, fields: CredentialFields, value: (field: string) => string): object {
  switch (scheme.kind) {
    case "basic":
      return { username: value(fields.username), password: value(fields.password) };
    case "bearer":
      return { [scheme.isOAuth ? "accessToken" : "token"]: value(fields.token) };
    case "key":
      return { apiKey: value(fields.key) };
  }
}
