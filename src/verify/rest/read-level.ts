import { basePath } from "../../contract/rest/base-path.js";
import { conventionsOf } from "../../contract/rest/conventions.js";
import { type ResponseObject, resolve, type Schema } from "../../contract/rest/document.js";
import { listOperations } from "../../contract/rest/operations.js";
import { shapeOf } from "../../contract/rest/request-body.js";
import type { RestContract } from "../../contract/rest/rest-contract.js";
import { urlOfDocument } from "../../http/api-url.js";
import { createOperationMatcher } from "../create-selection.js";
import { readServerSettings, type ServerSettings } from "./server/read-server-settings.js";

/**
 * Asks a server for its feature level, at the URL of its API. A contract without levels has one, 0. If the operation that reports it is
 * excluded, the newest level applies.
 */
export async function readLevel(
  { document, newestLevel }: RestContract,
  url: string,
  { exclude = [], ...limits }: Parameters<typeof readServerSettings>[1] & { readonly exclude?: readonly string[] },
): Promise<ServerSettings> {
  const { level: convention } = conventionsOf(document);
  const found = listOperations(document).find(({ operation }) => operation.operationId === convention?.call);
  if (convention === undefined || found === undefined) return { level: 0 };
  const { operation, method, path } = found;
  const title = `${method.toUpperCase()} ${path}`;
  if (createOperationMatcher(exclude)({ id: operation.operationId, title })) return { level: newestLevel };
  const schema = Object.values(
    resolve<ResponseObject>(document, found.operation.responses["200"] ?? { description: "" }).content ?? {},
  )[0]?.schema;
  const { properties = {} } = (schema && shapeOf(document, resolve<Schema>(document, schema))) ?? {};
  // A success is known by the values that its schema fixes.
  const fixed = Object.entries(properties).flatMap(([key, given]) => {
    const { const: value } = resolve<Schema>(document, given);
    return value === undefined ? [] : [[key, value] as const];
  });
  const isSuccess = (body: object) =>
    fixed.length > 0 && fixed.every(([key, value]) => Reflect.get(body, key) === value);
  const documented = urlOfDocument(url, basePath(document));
  const source = { url: `${url}${found.path}`, convention, isSuccess };
  return readServerSettings(documented === undefined ? source : { ...source, documented }, limits);
}
