import {
  type ContractDocument,
  type OperationObject,
  type ResponseObject,
  resolve,
} from "../contract/rest/document.js";
import { listOperations } from "../contract/rest/operations.js";

/** What an operation documents for a status. */
export interface DocumentedResponse {
  /** The status, its class such as `4XX`, or `default`. */
  readonly key: string;
  readonly response: ResponseObject;
}

/** Returns the response that an operation documents for a status: its own, that of its class, or the default one. */
export function documentedResponse(
  document: ContractDocument,
  { responses }: OperationObject,
  status: number,
): DocumentedResponse | undefined {
  const statusClass = `${Math.floor(status / 100)}XX`;
  // Where successes are documented, the default is about everything else.
  const isDefault = status >= 400 || !Object.keys(responses).some((key) => key.startsWith("2"));
  const keys = [String(status), statusClass, statusClass.toLowerCase(), ...(isDefault ? ["default"] : [])];
  const key = keys.find((one) => responses[one] !== undefined);
  const given = key === undefined ? undefined : responses[key];
  return key === undefined || given === undefined
    ? undefined
    : { key, response: resolve<ResponseObject>(document, given) };
}

/**
 * Whether a document says that an operation may fail with a status from 500. Its default response says so only if it has a body: without one,
 * it fits any failure.
 */
export function documentsFailure({ key, response }: DocumentedResponse): boolean {
  return key !== "default" || Object.keys(response.content ?? {}).length > 0;
}

const listed = new WeakMap<ContractDocument, ReadonlyMap<string, OperationObject>>();

/** The operations of a contract by id. Listing them again for each response would take longer than the comparison. */
export function documentedOperations(document: ContractDocument): ReadonlyMap<string, OperationObject> {
  let operations = listed.get(document);
  if (operations === undefined) {
    operations = new Map(listOperations(document).map(({ operation }) => [operation.operationId, operation]));
    listed.set(document, operations);
  }
  return operations;
}
