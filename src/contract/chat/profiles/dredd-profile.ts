import { type Case, listCases } from "../cases.js";
import type { ContractDocument } from "../document.js";
import { type ListedOperation, listOperations, parametersOf } from "../operations.js";

/**
 * The contract for Dredd, with one path and so one transaction per case. Dredd does not send the part of a path after `#`. `cases`
 * defaults to all cases of the contract.
 *
 * Dredd supports neither schemas with alternatives nor form bodies. Hooks add bodies and credentials, and validate response bodies
 * against the full schema.
 */
export function dreddProfile(document: ContractDocument, cases: readonly Case[] = listCases(document)): object {
  const operations = new Map(listOperations(document).map((listed) => [listed.operation.operationId, listed]));
  const paths: Record<string, object> = {};
  for (const one of cases) {
    const listed = operations.get(one.operationId);
    if (listed === undefined) continue;
    // Two operations of one path may have a case of the same name.
    const path = `${listed.path}#${one.name}`;
    paths[path] = { ...paths[path], [listed.method]: transaction(document, listed, one) };
  }
  return {
    openapi: "3.0.3",
    info: { title: document.info.title, version: document.info.version },
    paths,
  };
}

function transaction(document: ContractDocument, { operation }: ListedOperation, one: Case): object {
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
