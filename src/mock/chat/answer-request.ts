import type { IncomingMessage } from "node:http";
import { isDeepStrictEqual } from "node:util";
import { operations } from "../../../generated/chat/operations.js";
import type { Operation } from "../../chat/operation.js";
import type { ReadBody } from "../../chat/server/body-reader.js";
import { readCredentials } from "../../chat/server/credentials.js";
import { createRouter, type RouteMatch } from "../../chat/server/match-route.js";
import { createMemoryBudget, defaultMemoryLimits } from "../../chat/server/memory-budget.js";
import { parseRequest } from "../../chat/server/parse-request.js";
import { readBody } from "../../chat/server/read-body.js";
import type { Case } from "../../contract/rest/cases.js";
import { errorEnvelope } from "../../http/envelope-server.js";
import { receiveBody } from "../../http/receive-body.js";
import { type Preference, parsePrefer } from "../prefer.js";
import type { Answer, AnswerFromExamples } from "./create-prism.js";

const prefix = "/api/v1";
/** All requests share one budget, because the mock accepts any credentials and cannot tell callers apart. */
const openShare = createMemoryBudget({ ...defaultMemoryLimits, maxBytesPerCaller: defaultMemoryLimits.maxBytes });
const route = createRouter(operations);

type Found = Extract<RouteMatch<keyof typeof operations>, { kind: "found" }>;

/**
 * Creates the request handler of the chat mock. It checks `Prefer`, route, credentials and parameters in this order, then responds with the
 * matching or preferred case; `fromExamples` selects any other response. Every error has the API's envelope.
 */
export function createAnswerRequest(cases: readonly Case[], fromExamples: AnswerFromExamples) {
  const byOperation = new Map<string, Case[]>();
  for (const one of cases) byOperation.set(one.operationId, [...casesOf(one.operationId), one]);
  function casesOf(operationId: string): readonly Case[] {
    return byOperation.get(operationId) ?? [];
  }

  return async (request: IncomingMessage): Promise<Answer> => {
    const [path = "", query = ""] = (request.url ?? "").split(/\?(.*)/s, 2);
    const preference = parsePrefer(singleHeader(request, "prefer"));
    if (preference.kind === "malformed") return failure(400, preference.message);
    if (!path.startsWith(`${prefix}/`)) return failure(404, `${path} does not exist; the API begins with ${prefix}`);
    const match = route(request.method ?? "GET", path.slice(prefix.length));
    switch (match.kind) {
      case "not-found":
        return failure(404, `No operation has the path ${path}`);
      case "method-not-allowed":
        return failure(405, `${request.method} is not allowed here`, { Allow: match.allow.join(", ") });
      case "found":
        return answerOperation(request, new URLSearchParams(query), match, preference.value);
    }
  };

  async function answerOperation(
    request: IncomingMessage,
    query: URLSearchParams,
    match: Found,
    preference: Preference,
  ): Promise<Answer> {
    const { operation } = match;
    if (operation.auth !== false && readCredentials((name) => singleHeader(request, name)) === undefined) {
      return preferred(match, preference.code === 401 ? preference : { code: 401 });
    }
    // The tus protocol lets a creation carry the first bytes of the file (extension creation-with-upload).
    const takesAnyBody = operation.headers !== undefined;
    const memory = openShare("");
    const body = takesAnyBody
      ? noBody
      : await readBody(receiveBody(request), (name) => singleHeader(request, name), { hold: memory.take });
    if (body.kind !== "read") memory.release();
    if (body.kind === "aborted") return failure(400, "The request ended before its body did");
    if (body.kind === "refused") return failure(body.status, body.message);
    return answerBody(request, query, match, preference, body).finally(() => {
      memory.release();
      return body.dispose();
    });
  }

  async function answerBody(
    request: IncomingMessage,
    query: URLSearchParams,
    match: Found,
    preference: Preference,
    body: Extract<ReadBody, { kind: "read" }>,
  ): Promise<Answer> {
    const { operationId, operation } = match;
    const parsed = parseRequest(operationId, operation, {
      path: match.path,
      query,
      body: body.fields,
      files: body.files,
    });
    if (parsed.kind === "invalid") return failure(400, parsed.message);
    const sent = { ...parsed, values: await describeFiles(parsed.values), headers: headersOf(request, operation) };
    const chosen = chooseCase(casesOf(operationId), preference, sent)?.response;
    const answer =
      chosen === undefined
        ? await preferred(match, preference)
        : { status: chosen.status, headers: {}, body: chosen.body };
    return reportIgnored(answer, parsed.ignored);
  }

  async function preferred({ operationId, operation, path }: Found, preference: Preference): Promise<Answer> {
    // Encode each value again, so that a slash inside one does not split the path.
    const target = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ""));
    const answer = await fromExamples(operation.method, `${prefix}${target}`, preference);
    return answer ?? failure(400, undocumented(operationId, preference));
  }

  function undocumented(operationId: string, { code, example }: Preference): string {
    const names = casesOf(operationId).map(({ name, response }) => `${name} (${response.status})`);
    const asked = [code === undefined ? "" : `code=${code}`, example === undefined ? "" : `example=${example}`]
      .filter(Boolean)
      .join(", ");
    return `${operationId} has no documented response for Prefer: ${asked}. Examples: ${names.join(", ")}`;
  }
}

/** The preferred case. Without a preference, the first case with this request, or else the first successful case. */
function chooseCase(
  cases: readonly Case[],
  { code, example, dynamic }: Preference,
  sent: SentRequest,
): Case | undefined {
  if (dynamic) return undefined;
  if (example !== undefined) {
    return cases.find(({ name, response }) => name === example && (code ?? response.status) === response.status);
  }
  if (code !== undefined) return undefined;
  // Requests without valid credentials never get here.
  const answered = cases.filter(({ response }) => response.status !== 401);
  return answered.find((one) => matchesRequest(one, sent)) ?? answered.find(({ response }) => response.status < 300);
}

const noBody: ReadBody = { kind: "read", fields: [], files: [], dispose: () => Promise.resolve() };

/** A request in the form that cases use. */
interface SentRequest {
  readonly values: Readonly<Record<string, unknown>>;
  /** Names of unsupported parameters. */
  readonly ignored: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
}

/** Whether a case has this request. Compares unsupported parameters by name only. */
function matchesRequest({ request }: Case, { values, ignored, headers }: SentRequest): boolean {
  const wanted = Object.entries({ ...request.path, ...request.query, ...request.body });
  const known = wanted.filter(([name]) => !ignored.includes(name));
  const texts = Object.fromEntries(Object.entries(request.header).map(([name, value]) => [name, String(value)]));
  return (
    wanted.length === known.length + ignored.length &&
    isDeepStrictEqual(Object.fromEntries(known), values) &&
    isDeepStrictEqual(texts, headers)
  );
}

/** Replaces files with the description that cases use: name, type and text. */
async function describeFiles(values: Record<string, unknown>): Promise<Record<string, unknown>> {
  const entries = Object.entries(values).map(async ([name, value]) =>
    value instanceof File ? [name, { name: value.name, type: value.type, text: await value.text() }] : [name, value],
  );
  return Object.fromEntries(await Promise.all(entries));
}

/** The header parameters of the operation that the request has. */
function headersOf(request: IncomingMessage, operation: Operation): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of Object.keys(operation.headers ?? {})) {
    const value = singleHeader(request, name.toLowerCase());
    if (value !== undefined) found[name] = value;
  }
  return found;
}

function reportIgnored(answer: Answer, ignored: readonly string[]): Answer {
  const success = answer.status < 300 && typeof answer.body === "object" && answer.body !== null;
  return ignored.length > 0 && success
    ? { ...answer, body: { ...answer.body, ignored_parameters_unsupported: ignored } }
    : answer;
}

function failure(status: number, message: string, headers: Record<string, string> = {}): Answer {
  return { status, headers, body: errorEnvelope(message) };
}

function singleHeader(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value.join(",") : value;
}
