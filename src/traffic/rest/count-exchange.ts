import { valueAt } from "../../contract/json-pointer.js";
import { conventionsOf } from "../../contract/rest/conventions.js";
import { type ContractDocument, type ResponseObject, resolve, type Schema } from "../../contract/rest/document.js";
import { listOperations } from "../../contract/rest/operations.js";
import { excerpt, type Mask } from "../../judge/excerpt.js";
import { errorCode, isOwnError } from "../../judge/refusal.js";
import type { CoverageItem } from "../../report/model/coverage.js";
import type { CoverageCounter } from "../judge/coverage.js";
import type { ReadExchange } from "./exchange/decode-exchange.js";
import type { OperationsAtLevel } from "./exchange/operations-at-level.js";

const titles = { operations: "operations", parameters: "parameters", codes: "error codes" } as const;

/** Lists everything that the traffic of a level can show. */
export function coverageItems({
  contract,
  operations,
}: OperationsAtLevel): Record<string, Omit<CoverageItem, "count">[]> {
  return {
    [titles.operations]: [...operations.keys()].map((name) => ({ name })),
    [titles.parameters]: [...operations.values()].flatMap(({ operationId, parameters }) =>
      parameters.map(({ name }) => ({ name, operation: operationId })),
    ),
    [titles.codes]: listOperations(contract).flatMap(({ operation: { operationId, responses } }) => {
      const codes = Object.entries(responses).flatMap(([status, given]) =>
        status === "default" ? [] : codesOf(contract, resolve<ResponseObject>(contract, given)),
      );
      return [...new Set(codes)].map((name) => ({ name, operation: operationId }));
    }),
  };
}

/** The error codes of a response: the constants in the alternatives of its schema. */
function codesOf(contract: ContractDocument, { content = {} }: ResponseObject): string[] {
  const name = conventionsOf(contract).error?.code?.slice(1) ?? "";
  return Object.values(content).flatMap(({ schema = {} }) => {
    const root = resolve<Schema>(contract, schema);
    return [root, ...(root.anyOf ?? []).map((one) => resolve<Schema>(contract, one))].flatMap(({ properties }) => {
      const code = properties?.[name]?.const;
      return typeof code === "string" ? [code] : [];
    });
  });
}

/** Counts what an exchange shows. `unread` says why the response was not judged. */
export function countExchange(
  exchange: ReadExchange,
  coverage: CoverageCounter,
  { contract, unread }: { readonly contract: ContractDocument; readonly unread: string | undefined },
): void {
  const { operation, destination, recorded, answer, body } = exchange;
  coverage.exchange();
  if (recorded.interruption !== undefined) coverage.notJudged(`no whole response: ${recorded.interruption}`);
  if (body.kind === "unread") coverage.notJudged(`the body of the request: ${body.reason}`);
  if (unread !== undefined) coverage.notJudged(`the response: ${unread}`);
  if (recorded.unchanged === true) coverage.notJudged("strain: the response is too large to change");
  switch (destination.kind) {
    case "outside":
      return void coverage.notJudged("the path is outside the API");
    case "unknown":
      return void coverage.notJudged("the contract has no such operation");
    case "protocol":
      return void coverage.notJudged("a later request of a protocol that an operation begins");
    case "other-level":
    case "operation":
  }
  if (operation === undefined) return;
  coverage.count(titles.operations, operation);
  for (const name of Object.keys(exchange.parameters)) coverage.count(titles.parameters, name, operation);
  if (destination.kind === "operation") {
    for (const { name, place } of destination.operation.parameters) {
      const isSent = place === "header" && recorded.request.headers[name.toLowerCase()] !== undefined;
      if (isSent && !Object.hasOwn(exchange.parameters, name)) coverage.count(titles.parameters, name, operation);
    }
  }
  const status = recorded.response?.status ?? 0;
  const code = status < 400 ? undefined : errorCode(contract, answer);
  if (code !== undefined) coverage.count(titles.codes, String(code), operation);
}

/** How many characters of a message are shown. */
const maxMessageLength = 120;

/** Counts a refusal unless a finding or the proxy explains it. `mask` masks its message. */
export function countRefusal(
  { operation, recorded, answer }: ReadExchange,
  coverage: CoverageCounter,
  {
    isExplained,
    mask,
    document,
  }: { readonly isExplained: boolean; readonly mask: Mask; readonly document: ContractDocument },
): void {
  const { response, provoked } = recorded;
  const status = response?.status ?? 0;
  // A rate limit says nothing about the content of a request.
  const isRefused = status >= 400 && status !== 429 && (status < 500 || isOwnError(document, answer));
  if (operation === undefined || isExplained || provoked !== undefined || !isRefused) return;
  coverage.refused(operation, () => {
    const texts = textsOfError(document, answer).flatMap((text) => excerpt(text, maxMessageLength, mask));
    return [status, ...texts].join(" ");
  });
}

/** The code and texts of an error. */
function textsOfError(document: ContractDocument, body: unknown): string[] {
  const { error } = conventionsOf(document);
  const open = Object.entries(error?.body ?? { "/title": {}, "/detail": {}, "/message": {} }).flatMap(
    ([pointer, matcher]) => (typeof matcher === "object" && pointer !== error?.code ? [pointer] : []),
  );
  return [error?.code ?? [], open].flat().flatMap((pointer) => {
    const text = valueAt(body, pointer);
    return typeof text === "string" ? [text] : [];
  });
}
