import { dirname, relative } from "node:path";
import type {
  ExampleObject,
  MediaTypeObject,
  OperationObject,
  ParameterObject,
  ResponseObject,
} from "../../contract/rest/document.js";
import { didYouMean } from "../../contract/yaml-source.js";
import { type CaseFile, readCaseFiles } from "./case-files.js";
import type { Visitor, VisitorContext } from "./visitor.js";

/** An operation as written in its file. */
type OperationSource = OperationObject & { "x-typical-case"?: string };

interface ExampleHolder {
  examples?: Record<string, ExampleObject | { $ref: string }>;
}

/**
 * Adds the cases of `components/examples/<operationId>/` to the examples of their operations: of the body, of the
 * parameters, and of the response with the status of the case. The typical case of the operation is the first; the
 * others are ordered by status and name. With `inline`, the examples are copied, because the bundler turns a
 * reference into a component, and would name all of these `request` or `response`. Without it, they are references, so
 * that findings name the file of the case.
 */
export function collectCases({ inline = false }: { inline?: boolean } = {}): Visitor {
  let files: readonly CaseFile[] = [];
  const operationIds: string[] = [];
  return {
    Root: {
      enter(_: unknown, { location, report }: VisitorContext) {
        const read = readCaseFiles(dirname(location.source.absoluteRef));
        files = read.files;
        for (const message of read.problems) report({ message });
      },
      leave(_: unknown, { report }: VisitorContext) {
        for (const { operationId, problem } of files) {
          if (operationIds.includes(operationId)) continue;
          const known = didYouMean(operationId, operationIds);
          report({ message: problem([], `there is no operation \`${operationId}\`: ${known}`) });
        }
      },
    },
    Operation: {
      enter(operation: OperationSource, { location, report }: VisitorContext) {
        const { operationId, "x-typical-case": typical } = operation;
        const place = location.child(["operationId"]);
        operationIds.push(operationId);
        const own = files.filter((file) => file.operationId === operationId);
        const successes = own.filter(({ content }) => content.status < 300).map(({ name }) => name);
        if (typical === undefined ? successes.length > 1 : !successes.includes(typical)) {
          const message = `\`${operationId}\` needs an \`x-typical-case\`: use one of ${successes.join(", ")}.`;
          report({ message, location: place });
        }
        const ordered = own.toSorted(
          (a, b) => Number(b.name === typical) - Number(a.name === typical) || a.content.status - b.content.status,
        );
        for (const file of ordered) {
          const path = relative(dirname(location.source.absoluteRef), file.path).replaceAll("\\", "/");
          addCase(operation, file, {
            half: (half) => (inline ? file.content[half] : { $ref: `${path}#/${half}` }),
            complain: (at, text) => report({ message: file.problem(at, text), location: place }),
          });
        }
        if (inline) delete operation["x-typical-case"];
      },
    },
  };
}

/** How to add a case to its operation. */
interface CaseTarget {
  /** Returns the example for one half of the case. */
  readonly half: (half: "request" | "response") => ExampleObject | { $ref: string } | undefined;
  /** Reports a problem with the value at a path of the file. */
  readonly complain: (at: readonly string[], text: string) => void;
}

function addCase(operation: OperationSource, { name, content }: CaseFile, { half, complain }: CaseTarget): void {
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
