import { operations } from "../../../../generated/chat/operations.js";
import type { Operation } from "../../../chat/operation.js";
import { caseKey } from "./dredd-plan.js";
import type { DreddTransaction } from "./dredd-transaction.js";

const keys = new Map(
  Object.entries<Operation>(operations).map(([operationId, { method, path }]) => [`${method} ${path}`, operationId]),
);

/** The key of the case that a transaction of the Dredd profile is made from; undefined when it is another document's. */
export function caseOfTransaction({ name, request }: Pick<DreddTransaction, "name" | "request">): string | undefined {
  const [, path = "", caseName = ""] = /^(\S+)#([\w.-]+) > /.exec(name) ?? [];
  const operationId = keys.get(`${request.method.toUpperCase()} ${path}`);
  return operationId === undefined ? undefined : caseKey({ operationId, name: caseName });
}
