import type { ChatOperation } from "../../src/chat/operation.js";
import { compileOperation } from "../../src/contract/rest/compile-operation.js";
import type { ContractDocument } from "../../src/contract/rest/document.js";
import { type ListedOperation, listOperations } from "../../src/contract/rest/operations.js";

/** The facts about each operation that client and server need, by operationId. */
export function operationTable(document: ContractDocument): Record<string, ChatOperation> {
  return Object.fromEntries(
    listOperations(document).map((listed) => [listed.operation.operationId, toRow(document, listed)]),
  );
}

function toRow(document: ContractDocument, listed: ListedOperation): ChatOperation {
  const { "x-feature": feature, "x-protocol": protocol, security } = listed.operation;
  return {
    feature,
    ...compileOperation(document, listed),
    ...(protocol === undefined ? {} : { protocol }),
    ...(security?.length === 0 ? { auth: false as const } : {}),
  };
}

/** The code of the operation table. */
export function operationsModule(document: ContractDocument): string {
  const rows = Object.entries(operationTable(document)).map(([id, row]) => `  ${id}: ${JSON.stringify(row)},`);
  return `// Written by \`npm run generate\`. Not to be edited.

/** The facts about every operation that client and server need, by operationId. */
export const operations = {
${rows.join("\n")}
} as const;
`;
}
