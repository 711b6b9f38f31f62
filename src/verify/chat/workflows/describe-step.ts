import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import type { ContractDocument } from "../../../contract/chat/document.js";
import { listOperations } from "../../../contract/chat/operations.js";
import { type ReadWorkflow, type WorkflowStep, workflowFolder } from "../../../contract/chat/workflows.js";
import { valueAt } from "../../../contract/json-pointer.js";
import type { Exchange } from "../../check.js";
import { excerpt, type Mask } from "../../excerpt.js";
import { describeExchange } from "../exchange/describe-exchange.js";
import type { HttpPart, HttpRequest } from "../exchange/http-message.js";
import { createQuoter, jsonText } from "../exchange/quote.js";
import { chatOperation } from "./list-workflows.js";
import type { RespectCheck, RespectStep } from "./respect-report.js";

/** A step, with the steps that ran before it. */
export interface ExecutedStep {
  readonly workflow: ReadWorkflow;
  readonly steps: readonly RespectStep[];
  readonly step: RespectStep;
}

/** The server that steps are sent to, and the contract with their paths. */
export interface StepTarget {
  readonly contract: ContractDocument;
  /** The URL of the API, with `/api/v1`. */
  readonly apiUrl: string;
  /** The URL of the provider states, without `/states`. */
  readonly statesUrl?: string;
}

/** Renders the request and response of a step as text. */
export async function describeStep(run: ExecutedStep, target: StepTarget, mask: Mask): Promise<Exchange> {
  const { response } = run.step;
  const sent = await requestOf(run, target);
  const { statusCode, headers } = response;
  if (statusCode === 0) return describeExchange(sent, undefined, mask);
  const text = bodyText(response) ?? "(a body that redocly respect did not report)";
  return describeExchange(sent, { status: statusCode, headers, text }, mask);
}

/** Returns the body of a response as text; undefined if it is unknown. */
export function bodyText({ body, text }: RespectStep["response"]): string | undefined {
  if (text !== undefined || body === undefined) return text;
  return typeof body === "string" ? body : jsonText(body);
}

/** Reconstructs a request as sent: the report has its body decoded, and no URL if there was no readable response. */
async function requestOf(run: ExecutedStep, target: StepTarget): Promise<HttpRequest> {
  const { method, url, headers, body } = run.step.request;
  const named = Object.entries(headers).filter(([, value]) => typeof value === "string");
  const request = {
    method: method.toUpperCase(),
    url: url === "" ? stepUrl(run, target) : url,
    headers: Object.fromEntries(named),
  };
  if (body === undefined || body === null) return request;
  const type = headers["content-type"] ?? "";
  if (type.startsWith("multipart/form-data")) return { ...request, body: await stepParts(run) };
  if (type.startsWith("application/x-www-form-urlencoded") && typeof body === "object") {
    return {
      ...request,
      body: new URLSearchParams(Object.entries(body).map(([name, value]) => [name, String(value)])).toString(),
    };
  }
  return { ...request, body: typeof body === "string" ? body : JSON.stringify(body) };
}

/** Computes the URL of a step without a response, which `respect` does not report. An unknown value stays `{name}`. */
function stepUrl(run: ExecutedStep, { contract, apiUrl, statesUrl = "" }: StepTarget): string {
  const source = sourceOf(run);
  const operationId = chatOperation(source?.operationId ?? "");
  if (operationId === undefined) return `${statesUrl}/states`;
  const path = listOperations(contract).find(({ operation }) => operation.operationId === operationId)?.path ?? "";
  const parameters = source?.parameters ?? [];
  const filled = path.replace(/\{(\w+)\}/g, (place, name: string) => {
    const given = parameters.find((parameter) => parameter.name === name)?.value;
    const value = evaluateToText(given, run);
    if (value === undefined) return place;
    // A text without expressions is already encoded.
    return value === given ? value : encodeURIComponent(value);
  });
  const query = parameters
    .filter((parameter) => parameter.in === "query")
    .map(({ name, value }): [string, string] => [name, evaluateToText(value, run) ?? `{${name}}`]);
  return `${apiUrl}${filled}${query.length === 0 ? "" : `?${new URLSearchParams(query)}`}`;
}

/** Reconstructs the parts of a multipart body, which `respect` does not report. Omits unknown values. */
async function stepParts(run: ExecutedStep): Promise<readonly HttpPart[]> {
  const payload = Object.entries(sourceOf(run)?.requestBody?.payload ?? {});
  const parts = payload.map(async ([name, given]): Promise<HttpPart[]> => {
    const [, path] = /^\$file\('(.+)'\)$/.exec(String(given)) ?? [];
    if (path !== undefined) return [[name, await readUpload(join(workflowFolder, path))]];
    const value = evaluateToText(given, run);
    return value === undefined ? [] : [[name, value]];
  });
  return (await Promise.all(parts)).flat();
}

/** Reads a file as `respect` sends it, with the default content type of `FormData`. */
async function readUpload(path: string): Promise<File> {
  return new File([new Uint8Array(await readFile(path))], basename(path), { type: "application/octet-stream" });
}

/** Describes a failed check as a sentence: what was expected, and what the response had instead. `mask` masks quoted values. */
export function describeFailedCheck(check: RespectCheck, run: ExecutedStep, mask: Mask): string {
  if (check.condition !== undefined && check.name.startsWith("success criteria")) {
    return describeCriterion(check.condition, run, mask);
  }
  return `${check.name}: ${messageText(check.message, mask)}; got ${statusAndBody(run, mask)}`;
}

function describeCriterion(condition: string, run: ExecutedStep, mask: Mask): string {
  const criteria = sourceOf(run)?.successCriteria ?? [];
  const { context, type } = criteria.find((criterion) => criterion.condition === condition) ?? {};
  const quote = createQuoter(mask);
  const isKnown = run.step.response.body !== undefined || !`${context} ${condition}`.includes("$response.body");
  if (context !== undefined) {
    const phrase = type === "regex" ? `${context} to match ${condition}` : `${condition} in ${context}`;
    return `expected ${phrase}, got ${isKnown ? quote(evaluate(context, run)) : "something else"}`;
  }
  // A quoted text is compared as it is.
  const expressions = [...new Set(condition.replace(/"[^"]*"/g, "").match(/\$[\w.-]+(?:#[^\s"'()]*)?/g) ?? [])];
  // The body explains the status.
  if (expressions.join() === "$statusCode") return `expected ${condition}, got ${statusAndBody(run, mask)}`;
  if (!isKnown) return `expected ${condition}, got something else`;
  return `expected ${condition}, got ${expressions.map((name) => `${name} = ${quote(evaluate(name, run))}`).join(", ")}`;
}

function statusAndBody({ step }: ExecutedStep, mask: Mask): string {
  const { statusCode, body } = step.response;
  return body === undefined ? String(statusCode) : `${statusCode} with ${createQuoter(mask)(body)}`;
}

/** Returns the message of a check without its code frames and lists. */
function messageText(message: string, mask: Mask): string {
  const lines = message.split("\n").map((line) => line.trim());
  const prose = lines.filter((line) => line !== "" && !/^(?:>|\d+ \||\|)/.test(line));
  return excerpt(prose.join(" ").replace(/\s+/g, " "), 500, mask);
}

/** Returns the step as the workflow defines it. */
function sourceOf({ workflow, step }: ExecutedStep): WorkflowStep | undefined {
  return workflow.steps.find(({ stepId }) => stepId === step.stepId);
}

/** Evaluates one of the runtime expressions (Arazzo 1.0.1) that workflows use. */
function evaluate(expression: string, run: ExecutedStep): unknown {
  const { statusCode, body, headers } = run.step.response;
  if (expression === "$statusCode") return statusCode;
  if (expression.startsWith("$response.body")) return valueAt(body, expression.slice("$response.body".length));
  if (expression.startsWith("$response.header."))
    return headers[expression.slice("$response.header.".length).toLowerCase()];
  const [, input = ""] = /^\$inputs\.(\w+)$/.exec(expression) ?? [];
  if (input !== "") return run.workflow.source.inputs?.properties[input]?.default;
  const [, stepId = "", output = ""] = /^\$steps\.([\w-]+)\.outputs\.([\w-]+)$/.exec(expression) ?? [];
  const source = run.workflow.steps.find((candidate) => candidate.stepId === stepId)?.outputs?.[output];
  const step = run.steps.find((candidate) => candidate.stepId === stepId);
  return source === undefined || step === undefined ? undefined : evaluate(source, { ...run, step });
}

/** Returns a value that a step sends, as text; evaluates it if it is an expression. Undefined if unknown. */
function evaluateToText(given: unknown, run: ExecutedStep): string | undefined {
  const value = typeof given === "string" && given.startsWith("$") ? evaluate(given, run) : given;
  return value === undefined ? undefined : typeof value === "object" ? JSON.stringify(value) : String(value);
}
