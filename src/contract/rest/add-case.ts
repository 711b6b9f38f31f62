import { didYouMean } from "../yaml-source.js";
import type { CaseFile } from "./case-files.js";
import type { ExampleObject, MediaTypeObject, OperationObject, ParameterObject, ResponseObject } from "./document.js";

/** How to add a case to its operation. */
export interface CaseTarget {
  /** Returns the example for one half of the case. */
  readonly half: (half: "request" | "response") => ExampleObject | { $ref: string } | undefined;
  /** Reports a problem with the value at a path of the file. */
  readonly complain: (at: readonly string[], text: string) => void;
}

interface ExampleHolder {
  examples?: Record<string, ExampleObject | { $ref: string }>;
}

/** Orders the cases of an operation: the typical one first, the others by status; they are given by name. */
export function inOrder(files: readonly CaseFile[], typical: string | undefined): CaseFile[] {
  return files.toSorted(
    (a, b) => Number(b.name === typical) - Number(a.name === typical) || a.content.status - b.content.status,
  );
}

/** Adds a case to the examples of its operation: of the body, of the parameters, and of the response with the status of the case. */
export function addCase(operation: OperationObject, { name, content }: CaseFile, { half, complain }: CaseTarget): void {
  const { operationId, parameters = [], requestBody, responses } = operation;
  const add = (holder: ExampleHolder, example: ExampleObject | { $ref: string } | undefined) => {
    if (example !== undefined) holder.examples = { ...holder.examples, [name]: example };
  };
  const own = parameters.filter((parameter): parameter is ParameterObject => "name" in parameter);
  for (const [key, value] of Object.entries(content.parameters ?? {})) {
    const parameter = own.find((one) => one.name === key);
    if (parameter === undefined) {
      const names = own.map((one) => one.name);
      complain(["parameters", key], `\`${operationId}\` has no parameter \`${key}\`: ${didYouMean(key, names)}`);
    } else {
      add(Object.values(parameter.content ?? {})[0] ?? parameter, { value });
    }
  }
  const body = firstMedia(requestBody);
  if (content.request === undefined) {
    if (requestBody?.required) complain([], `\`${operationId}\` requires a body: add \`request\``);
  } else if (body === undefined) {
    complain(
      ["request"],
      `\`${operationId}\` has no body: remove \`request\`, and write what is sent in \`parameters\``,
    );
  } else {
    add(body, half("request"));
  }
  const response = responses[content.status];
  const media = response === undefined || "$ref" in response ? undefined : firstMedia(response);
  if (media === undefined) complain(["status"], statusProblem(operationId, content.status, responses));
  else add(media, half("response"));
}

function firstMedia(holder: { content?: Record<string, MediaTypeObject> } | undefined): MediaTypeObject | undefined {
  return Object.values(holder?.content ?? {})[0];
}

function statusProblem(operationId: string, status: number, responses: OperationObject["responses"]): string {
  const response: ResponseObject | { $ref: string } | undefined = responses[status];
  const known = Object.keys(responses).filter((one) => one !== "default");
  if (response === undefined)
    return `\`${operationId}\` has no response ${status}: add it, or use one of ${known.join(", ")}`;
  if ("$ref" in response) return `the response ${status} is shared: write the case into ${response.$ref}`;
  return `the response ${status} of \`${operationId}\` has no body, so no case can show it`;
}
