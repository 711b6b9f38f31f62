import { dirname } from "node:path";
import { didYouMean, type Problem } from "../yaml-source.js";
import { addCase, inOrder } from "./add-case.js";
import { type CaseFile, readCaseFiles } from "./case-files.js";
import { type ContractDocument, type OperationObject, type ResponseObject, resolve } from "./document.js";
import { listOperations, parametersOf } from "./operations.js";

/** Adds the cases of `components/examples/<operationId>/` beside a document to the examples of its operations. */
export function addCaseFiles(
  document: ContractDocument,
  file: string,
): { readonly document: ContractDocument; readonly problems: readonly Problem[] } {
  const { files, problems } = readCaseFiles(dirname(file), false);
  if (files.length === 0) return { document, problems };
  const found = [...problems];
  const known = listOperations(document).map(({ operation }) => operation.operationId);
  for (const { operationId, problem } of files) {
    if (!known.includes(operationId))
      found.push(problem([], `there is no operation \`${operationId}\`: ${didYouMean(operationId, known)}`));
  }
  const paths = { ...document.paths };
  for (const { path, method, operation } of listOperations(document)) {
    const own = files.filter(({ operationId }) => operationId === operation.operationId);
    if (own.length === 0) continue;
    const copy = copyFor(document, operation, own);
    for (const one of inOrder(own, operation["x-typical-case"])) {
      addCase(copy, one, {
        half: (half) => one.content[half],
        complain: (at, text) => found.push(one.problem(at, text)),
      });
    }
    paths[path] = { ...paths[path], [method]: copy };
  }
  return { document: { ...document, paths }, problems: found };
}

/** An operation with its own copy of all that cases add to, which operations may share. */
function copyFor(document: ContractDocument, operation: OperationObject, files: readonly CaseFile[]): OperationObject {
  const statuses = new Set(files.map(({ content }) => String(content.status)));
  const responses = Object.entries(operation.responses).map(([status, response]) => [
    status,
    statuses.has(status) ? resolve<ResponseObject>(document, response) : response,
  ]);
  return structuredClone({
    ...operation,
    parameters: parametersOf(document, operation),
    responses: Object.fromEntries(responses),
  });
}
