import { type Case, listCases } from "../cases.js";
import type { ContractDocument } from "../document.js";
import { listOperations } from "../operations.js";
import { atFeatureLevel } from "./at-feature-level.js";

/**
 * Lists the cases of a feature level with the responses of that level. Their requests are those of a client of the newest level: they
 * lack parameters that only earlier levels require, and hold JSON text for fields that only earlier levels encode as JSON.
 */
export function casesAtLevel(document: ContractDocument, level: number): Case[] {
  const view = atFeatureLevel(document, level);
  const newest = new Map(listCases(document).map((one) => [`${one.operationId} ${one.name}`, one]));
  const [encodedNow, encodedThen] = [jsonFields(document), jsonFields(view)];
  return listCases(view).map((one) => {
    const request = newest.get(`${one.operationId} ${one.name}`)?.request ?? one.request;
    if (request.body === undefined) return { ...one, request };
    const body = Object.entries(request.body).map(([name, value]) => {
      const field = `${one.operationId} ${name}`;
      return [name, encodedThen.has(field) && !encodedNow.has(field) ? JSON.stringify(value) : value];
    });
    return { ...one, request: { ...request, body: Object.fromEntries(body) } };
  });
}

/** The JSON-encoded form fields, as `<operationId> <field>`. */
function jsonFields(document: ContractDocument): ReadonlySet<string> {
  const fields = listOperations(document).flatMap(({ operation }) =>
    Object.values(operation.requestBody?.content ?? {}).flatMap(({ encoding = {} }) =>
      Object.entries(encoding)
        .filter(([, { contentType }]) => contentType === "application/json")
        .map(([name]) => `${operation.operationId} ${name}`),
    ),
  );
  return new Set(fields);
}
