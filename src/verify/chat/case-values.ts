import { operations } from "../../../generated/chat/operations.js";
import type { Operation } from "../../chat/operation.js";
import type { Case } from "../../contract/chat/cases.js";
import { describedFile } from "./described-file.js";

const table: Readonly<Record<string, Operation>> = operations;

/** The parameters of a case in one flat object, as a client takes them: a described file as a `File`. */
export function caseValues({ operationId, request }: Pick<Case, "operationId" | "request">): Record<string, unknown> {
  const values = { ...request.path, ...request.query, ...request.body };
  const kinds = table[operationId]?.parameters ?? {};
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      (kinds[name] === "file" ? describedFile(value) : undefined) ?? value,
    ]),
  );
}
