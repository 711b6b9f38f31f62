import type { Case } from "../cases.js";
import type { ContractDocument } from "../document.js";
import { type ListedOperation, listOperations, parametersOf } from "../operations.js";

/** The key of a Dredd profile that holds its feature level, which the hooks read. */
export const levelKey = "x-feature-level";

/** The contract for Dredd, in OpenAPI 3.0. */
export interface DreddProfile {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string };
  readonly [levelKey]: number;
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId: string }>>>>;
}

/**
 * Returns the contract for Dredd, with one path and so one transaction per case. Dredd does not send the part of a path after `#`.
 * `document` is the contract as of a level, and `cases` are those of the level.
 *
 * Dredd supports neither schemas with alternatives nor form bodies. The hooks in `src/dredd` add bodies, credentials and full schemas.
 */
export function dreddProfile(document: ContractDocument, cases: readonly Case[], level: number): DreddProfile {
  const operations = new Map(listOperations(document).map((listed) => [listed.operation.operationId, listed]));
  const paths: Record<string, Record<string, { readonly operationId: string }>> = {};
  for (const one of cases) {
    const listed = operations.get(one.operationId);
    if (listed === undefined) continue;
    // Two operations of one path may have a case of the same name.
    const path = transactionPath(listed, one);
    paths[path] = { ...paths[path], [listed.method]: transaction(document, listed, one) };
  }
  return {
    openapi: "3.0.3",
    info: { title: document.info.title, version: document.info.version },
    [levelKey]: level,
    paths,
  };
}

/** Returns the path that a Dredd profile has for a case. */
export function transactionPath({ path }: Pick<ListedOperation, "path">, { name }: Pick<Case, "name">): string {
  return `${path}#${name}`;
}

function transaction(document: ContractDocument, { operation }: ListedOperation, one: Case) {
  const sent: Record<string, unknown> = { ...one.request.path, ...one.request.query };
  const parameters = parametersOf(document, operation)
    .filter(({ name }) => name in sent)
    .map(({ name, in: location, content }) => ({
      name,
      in: location,
      required: true,
      schema: { type: "string" },
      example: content === undefined ? String(sent[name]) : JSON.stringify(sent[name]),
    }));
  const { status, mediaType, body } = one.response;
  return {
    operationId: `${one.operationId}_${one.name}`,
    summary: one.summary,
    ...(parameters.length === 0 ? {} : { parameters }),
    responses: {
      [String(status)]: {
        description: one.summary,
        ...(mediaType === undefined ? {} : { content: { [mediaType]: { example: body } } }),
      },
    },
  };
}
