import { operations } from "../../../generated/chat/operations.js";
import type { Operation } from "../../chat/operation.js";
import type { Case } from "../../contract/cases.js";

const table: Readonly<Record<string, Operation>> = operations;

interface DescribedFile {
  readonly name: string;
  readonly type: string;
  readonly text: string;
}

/** The parameters of a case in one flat object, as a client takes them: a described file as a `File`. */
export function caseValues({ operationId, request }: Pick<Case, "operationId" | "request">): Record<string, unknown> {
  const values = { ...request.path, ...request.query, ...request.body };
  const kinds = table[operationId]?.parameters ?? {};
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      kinds[name] === "file" && isFile(value) ? toFile(value) : value,
    ]),
  );
}

function toFile({ name, type, text }: DescribedFile): File {
  return new File([text], name, { type });
}

function isFile(value: unknown): value is DescribedFile {
  return typeof value === "object" && value !== null && "text" in value;
}
