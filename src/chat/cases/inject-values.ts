import { isDeepStrictEqual } from "node:util";
import { operations } from "../../../generated/chat/operations.js";
import type { Case } from "../../contract/rest/cases.js";
import { mapNodes } from "../../contract/rest/map-nodes.js";
import { placeOf as documentedPlace, type Operation, type Place } from "../../request/operation.js";
import type { StatesOutcome } from "../../verify/states/states-client.js";
import { replacedParameters } from "./replaced-parameters.js";

const table: Readonly<Record<string, Operation>> = operations;

/**
 * Puts the values that provider states returned into a case.
 *
 * In the request, a returned value replaces the example of the parameter of the same name, and each entry of `bind` replaces or adds its
 * parameter. In the response, a field that repeats the example of a replaced parameter of the same name gets the new value. Throws an
 * `Error` if `bind` names a value that was not returned. Source: openapi/README.md, section "Cases".
 */
export function injectValues(testCase: Case, outcome: Pick<StatesOutcome, "values" | "credentials">): Case {
  const { path, query, body = {} } = testCase.request;
  const examples: Readonly<Record<string, unknown>> = { ...path, ...query, ...body };
  const replaced = replacedParameters(testCase, outcome);
  const replacedIn = (place: string) => Object.entries(replaced).filter(([name]) => placeOf(testCase, name) === place);
  const injected = (place: "path" | "query" | "body", parameters: Readonly<Record<string, unknown>> = {}) => ({
    ...parameters,
    ...Object.fromEntries(replacedIn(place)),
  });
  const request = { ...testCase.request, path: injected("path", path), query: injected("query", query) };
  const hasBody = testCase.request.body !== undefined || replacedIn("body").length > 0;
  return {
    ...testCase,
    request: hasBody ? { ...request, body: injected("body", body) } : request,
    response:
      "body" in testCase.response
        ? { ...testCase.response, body: replaceRepeated(testCase.response.body, examples, replaced) }
        : testCase.response,
  };
}

/** Returns where the case sends a parameter, or else where the operation takes it. */
function placeOf({ operationId, request }: Case, name: string): Place {
  for (const place of ["path", "query", "body"] as const) if (Object.hasOwn(request[place] ?? {}, name)) return place;
  const operation = table[operationId];
  if (operation === undefined) throw new Error(`The contract has no operation ${operationId}`);
  return documentedPlace(operation, name);
}

function replaceRepeated(
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
