import type { ContractDocument } from "../../../contract/chat/document.js";
import { parseJson } from "../../../parse-json.js";
import type { Mask } from "../../excerpt.js";
import type { ReceivedResponse } from "../exchange/http-message.js";
import { createQuoter, maskSecretFields } from "../exchange/quote.js";
import { compareWithContract } from "../judge/compare-with-contract.js";
import { isRefusal } from "../judge/refusal.js";
import type { ResponseValidators } from "../judge/validators.js";
import type { Probe } from "./probe.js";
import type { ProbedOperation } from "./probed-operation.js";

/** The context in which a response is judged, besides its probe. */
export interface Judgement {
  readonly operation: ProbedOperation;
  readonly validators: ResponseValidators;
  /** Texts that occur only in another organization, so that the response must not contain them. */
  readonly foreignTexts?: readonly string[];
  /** Ids of messages of another organization. */
  readonly foreignIds?: readonly number[];
  /** Masks quoted text. By default, masks the values of secret fields. */
  readonly mask?: Mask;
}

/** Statuses for requests that are too large or in an unsupported media type. The contract leaves open which of them get these. */
const openStatuses: ReadonlySet<number> = new Set([413, 414, 415, 431]);

/**
 * Describes how the response to a probe differs from its expectation, one sentence each. The contract must also allow the response for
 * the operation, unless the expectation leaves the status open.
 */
export function judgeProbe(
  probe: Pick<Probe, "change" | "expectation">,
  actual: ReceivedResponse,
  by: Judgement,
): string[] {
  if (actual.fault !== undefined) return [(by.mask ?? maskSecretFields)(actual.fault)];
  return [...judgeOutcome(probe, actual, by), ...leaks(actual, by)];
}

/** Whether the contract forbids the response for the operation in every state of the server. */
export function isForbidden(
  { expectation }: Pick<Probe, "expectation">,
  actual: ReceivedResponse,
  by: Judgement,
): boolean {
  if (actual.fault !== undefined) return true;
  return expectation.kind !== "unlisted" && checkAllowed(by.operation.document, actual, by).length > 0;
}

function judgeOutcome(
  { change, expectation }: Pick<Probe, "change" | "expectation">,
  actual: ReceivedResponse,
  by: Judgement,
): string[] {
  const { status, text } = actual;
  const show = createQuoter(by.mask ?? maskSecretFields);
  const isRefused = isRefusal(actual);
  const body = parseJson(text);
  const got = () => `got ${status} with ${show(body ?? text)}`;
  const allowed = () => checkAllowed(by.operation.document, actual, by);
  switch (expectation.kind) {
    case "refused": {
      if (status !== expectation.status && !(isRefused && expectation.recommendedBy !== undefined))
        return [`status: expected ${expectation.status} ${expectation.code}, ${got()}`];
      const code = member(body, "code");
      const problems =
        code === expectation.code ? [] : [`/code: expected ${show(expectation.code)}, got ${show(code)}`];
      return [...problems, ...allowed()];
    }
    case "refused-some-way":
      return isRefused ? allowed() : [`status: expected an error in the envelope, ${got()}`];
    case "refused-or-not-found":
      if (status === 404 || status === 405) return [];
      return isRefused ? allowed() : [`status: expected an error in the envelope, ${got()}`];
    case "succeeds":
      return isSuccess(status) ? allowed() : [`status: expected success, ${got()}`];
    case "ignored":
      if (!isSuccess(status)) return [`status: expected success, ${got()}`];
      return [...allowed(), ...ignoredProblems(expectation.parameters, body, by)];
    case "any": {
      const inPath = "parameter" in change && isInPath(by.operation, change.parameter);
      const isOpen = openStatuses.has(status) || (inPath && (status === 404 || status === 405));
      return isOpen ? [] : allowed();
    }
    case "unlisted":
      // 501 means that the server does not support the method (RFC 9110, section 15.6.2).
      return status >= 500 && status !== 501 ? [`status: the server failed, ${got()}`] : [];
  }
}

function checkAllowed(
  document: ContractDocument,
  actual: ReceivedResponse,
  { operation, validators, mask }: Judgement,
): string[] {
  return compareWithContract(document, operation.operationId, actual, validators, mask);
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

function isInPath({ parameters }: ProbedOperation, name: string): boolean {
  return parameters.some((parameter) => parameter.name === name && parameter.place === "path");
}

function ignoredProblems(
  expected: readonly string[],
  body: unknown,
  { operation: { parameters }, mask = maskSecretFields }: Judgement,
): string[] {
  const show = createQuoter(mask);
  const field = "/ignored_parameters_unsupported";
  const named = member(body, "ignored_parameters_unsupported");
  if (!Array.isArray(named)) return [`${field}: expected ${show(expected)}, got ${show(named)}`];
  const missing = expected.filter((name) => !named.includes(name));
  const supported = parameters.filter(({ name }) => named.includes(name)).map(({ name }) => name);
  return [
    ...missing.map((name) => `${field}: ${show(name)} is missing; got ${show(named)}`),
    ...supported.map((name) => `${field}: ${show(name)} is listed, but the operation supports it`),
  ];
}

function leaks({ text }: ReceivedResponse, { foreignTexts = [], foreignIds = [] }: Judgement): string[] {
  const messages = member(parseJson(text), "messages");
  const ids = Array.isArray(messages) ? messages.map((message) => member(message, "id")) : [];
  return [
    ...(foreignTexts.some((one) => text.includes(one)) ? ["body: it shows data of another organization"] : []),
    ...foreignIds.filter((id) => ids.includes(id)).map((id) => `/messages: ${id} is a message of another organization`),
  ];
}

function member(body: unknown, name: string): unknown {
  return typeof body === "object" && body !== null ? Reflect.get(body, name) : undefined;
}
