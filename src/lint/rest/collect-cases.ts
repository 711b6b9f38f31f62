import { dirname, relative } from "node:path";
import { addCase, inOrder } from "../../contract/rest/add-case.js";
import { type CaseFile, readCaseFiles } from "../../contract/rest/case-files.js";
import type { OperationObject } from "../../contract/rest/document.js";
import { didYouMean } from "../../contract/yaml-source.js";
import type { Visitor, VisitorContext } from "./visitor.js";

/**
 * Adds the cases of `components/examples/<operationId>/` to the examples of their operations: of the body, of the
 * parameters, and of the response with the status of the case. The typical case of the operation is the first; the
 * others are ordered by status and name. With `inline`, the examples are copied, because the bundler turns a
 * reference into a component, and would name all of these `request` or `response`. Without it, they are references, so
 * that findings name the file of the case. With `lenient`, mistakes are left to loading the document.
 */
export function collectCases({
  inline = false,
  lenient = false,
}: {
  inline?: boolean;
  lenient?: boolean;
} = {}): Visitor {
  let files: readonly CaseFile[] = [];
  const operationIds: string[] = [];
  return {
    Root: {
      enter(_: unknown, { location, report }: VisitorContext) {
        const read = readCaseFiles(dirname(location.source.absoluteRef), !lenient);
        files = read.files;
        if (lenient) return;
        for (const message of read.problems) report({ message });
      },
      leave(_: unknown, { report }: VisitorContext) {
        if (lenient) return;
        for (const { operationId, problem } of files) {
          if (operationIds.includes(operationId)) continue;
          const known = didYouMean(operationId, operationIds);
          report({ message: problem([], `there is no operation \`${operationId}\`: ${known}`) });
        }
      },
    },
    Operation: {
      enter(operation: OperationObject, { location, report }: VisitorContext) {
        const { operationId, "x-typical-case": typical } = operation;
        const place = location.child(["operationId"]);
        operationIds.push(operationId);
        const own = files.filter((file) => file.operationId === operationId);
        const successes = own.filter(({ content }) => content.status < 300).map(({ name }) => name);
        if (!lenient && (typical === undefined ? successes.length > 1 : !successes.includes(typical))) {
          const message = `\`${operationId}\` needs an \`x-typical-case\`: use one of ${successes.join(", ")}.`;
          report({ message, location: place });
        }
        for (const file of inOrder(own, typical)) {
          const path = relative(dirname(location.source.absoluteRef), file.path).replaceAll("\\", "/");
          addCase(operation, file, {
            half: (half) => (inline ? file.content[half] : { $ref: `${path}#/${half}` }),
            complain: (at, text) => {
              if (!lenient) report({ message: file.problem(at, text), location: place });
            },
          });
        }
        if (inline) delete operation["x-typical-case"];
      },
    },
  };
}
