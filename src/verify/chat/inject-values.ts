import { isDeepStrictEqual } from "node:util";
import { operations } from "../../../generated/chat/operations.js";
import { type Operation, parameterLocation } from "../../chat/operation.js";
import type { Case } from "../../contract/chat/cases.js";
import { mapNodes } from "../../contract/chat/profiles/map-nodes.js";
import type { StatesOutcome } from "./states-client.js";

const table: Readonly<Record<string, Operation>> = operations;

/**
 * The case as it is to be run against a server whose states returned values.
 *
 * In the request, a returned value replaces the example of the parameter of the same name, and what `bind` names replaces, or adds,
 * the parameter that it is for. In the response, a field named like a replaced parameter that repeats its example repeats the new
 * value instead. Throws an `Error` when `bind` names a value that was not returned. Source: openapi/README.md, section "Cases".
 */
export function injectValues(one: Case, { values, credentials }: Pick<StatesOutcome, "values" | "credentials">): Case {
  const { path, query, body = {} } = one.request;
  const examples: Readonly<Record<string, unknown>> = { ...path, ...query, ...body };
  const returned = Object.entries(values).filter(([name]) => Object.hasOwn(examples, name));
  const bound = Object.entries(one.bind).map(([name, source]) => [
    name,
    readSource(source, { ...values, credentials }),
  ]);
  const replaced: Record<string, unknown> = Object.fromEntries([...returned, ...bound]);
  const replacedIn = (place: string) => Object.entries(replaced).filter(([name]) => placeOf(one, name) === place);
  const injected = (place: "path" | "query" | "body", parameters: Readonly<Record<string, unknown>> = {}) => ({
    ...parameters,
    ...Object.fromEntries(replacedIn(place)),
  });
  const request = { ...one.request, path: injected("path", path), query: injected("query", query) };
  const hasBody = one.request.body !== undefined || replacedIn("body").length > 0;
  return {
    ...one,
    request: hasBody ? { ...request, body: injected("body", body) } : request,
    response:
      "body" in one.response
        ? { ...one.response, body: repeated(one.response.body, examples, replaced) }
        : one.response,
  };
}

/** Where the case sends a parameter, or where the operation would. */
function placeOf({ operationId, request }: Case, name: string): "path" | "query" | "body" {
  for (const place of ["path", "query", "body"] as const) if (Object.hasOwn(request[place] ?? {}, name)) return place;
  const operation = table[operationId];
  if (operation === undefined) throw new Error(`The contract has no operation ${operationId}`);
  return parameterLocation(operation, name);
}

/** Puts a value in the place of each dotted path, such as `credentials.other.user_id`. */
function readSource(source: unknown, values: Readonly<Record<string, unknown>>): unknown {
  if (Array.isArray(source)) return source.map((item) => readSource(item, values));
  if (typeof source === "object" && source !== null) {
    return Object.fromEntries(Object.entries(source).map(([key, item]) => [key, readSource(item, values)]));
  }
  const value = String(source)
    .split(".")
    .reduce<unknown>(
      (node, key) =>
        typeof node === "object" && node !== null && Object.hasOwn(node, key) ? Reflect.get(node, key) : undefined,
      values,
    );
  if (value === undefined) throw new Error(`bind names ${String(source)}, which no state of the case has returned`);
  return value;
}

function repeated(
  body: unknown,
  examples: Readonly<Record<string, unknown>>,
  replaced: Readonly<Record<string, unknown>>,
): unknown {
  const repeats = (name: string, value: unknown) =>
    Object.hasOwn(replaced, name) && Object.hasOwn(examples, name) && isDeepStrictEqual(value, examples[name]);
  return mapNodes(body, (node) =>
    Object.fromEntries(
      Object.entries(node).map(([name, value]) => [name, repeats(name, value) ? replaced[name] : value]),
    ),
  );
}
