import { createRequire } from "node:module";
import type { IHttpOperation } from "@stoplight/types";
import { MissingPeerError } from "../../base/missing-peer-error.js";
import { once } from "../../base/once.js";
import { type ContractDocument, type ResponseObject, resolve } from "../../contract/rest/document.js";
import type { ListedOperation } from "../../contract/rest/operations.js";
import { acceptedTypes } from "../../http/accept.js";
import { isJsonType } from "../../http/media-type.js";
import type { Preference } from "../prefer.js";
import type { ErrorBody } from "./error-body.js";
import { restoreData, sampleDocument } from "./sample-document.js";
import { escapeKey, operationPointer, type SchemaCheck } from "./schema-check.js";

/** A response of the mock, before serialization. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined if the response has no body. */
  readonly mediaType?: string;
  readonly body?: unknown;
}

/** Makes the documented responses of operations. */
export interface Responder {
  /** Selects a response. Undefined if the contract has no such response. */
  readonly respond: (listed: ListedOperation, preference: Preference, accept?: string) => Promise<Answer | undefined>;
  /** Puts an explanation into a generated error, if its schema allows that. Examples stay as they are. */
  readonly explain: (listed: ListedOperation, answer: Answer, explanation: Explanation) => Answer;
}

/** The body of an error in the format of the mock, and the message in it. */
export type Explanation = ErrorBody & { readonly message: string };

/** Where error bodies usually have text for people. */
const textMember = /^(?:detail|message|description|error_description)$/;

/** How often Prism may generate a body until one fits its schema: for patterns and the like it guesses. */
const maxGuesses = 4;

const config = {
  isProxy: false,
  checkSecurity: false,
  validateRequest: false,
  validateResponse: false,
  errors: false,
  upstreamProxy: undefined,
} as const;

/**
 * Prism's engine with the responses of a contract. Prism is loaded, which takes about a second, for the first response that leaves a choice
 * or must be generated, and each operation when it is first called. What it generates is kept, because a large body takes up to a second.
 *
 * Prism selects the response (`Prefer`, first example, generated bodies). If its schema forbids an example that was not asked for, or what
 * Prism generates, another body is generated. Throws a `MissingPeerError` if the package is not installed.
 */
export function createResponder(document: ContractDocument, check: SchemaCheck): Responder {
  try {
    createRequire(import.meta.url).resolve("@stoplight/prism-http");
  } catch {
    throw new MissingPeerError("The mock", "@stoplight/prism-http");
  }
  const prism = once(async () => {
    const { createInstance, getHttpOperationsFromSpec } = await import("@stoplight/prism-http");
    const instance = createInstance({ ...config, mock: { dynamic: false } }, { logger: silentLogger() });
    return { instance, read: getHttpOperationsFromSpec };
  });
  const operations = new Map<string, Promise<IHttpOperation[]>>();
  const answers = new Map<string, Promise<Answer | undefined>>();

  return { respond, explain };

  function respond(listed: ListedOperation, preference: Preference, given = "*/*"): Promise<Answer | undefined> {
    const accept = given.trim() === "" ? "*/*" : given;
    const { code, example, dynamic } = preference;
    if (dynamic || example !== undefined || accept !== "*/*") return make(listed, preference, accept);
    const key = `${operationPointer(listed)} ${code}`;
    const made = answers.get(key) ?? make(listed, preference, accept);
    answers.set(key, made);
    return made;
  }

  function explain(listed: ListedOperation, answer: Answer, { mediaType, body, message }: Explanation): Answer {
    const { media } = mediaOf(listed, answer) ?? {};
    const isWritten = media?.example !== undefined || media?.examples !== undefined;
    if (isWritten || typeof answer.body !== "object" || answer.body === null) return answer;
    const members = Object.entries(answer.body).filter(
      ([name, value]) => typeof value === "string" && textMember.test(name),
    );
    const own = answer.mediaType === mediaType ? body : Object.fromEntries(members.map(([name]) => [name, message]));
    const explained = { ...answer, body: { ...answer.body, ...own } };
    return fits(listed, explained) ? explained : answer;
  }

  async function make(listed: ListedOperation, { code, example, dynamic = false }: Preference, accept: string) {
    const mediaTypes = acceptedTypes(accept);
    if (mediaTypes.length === 0) return undefined;
    const pointer = operationPointer(listed);
    const isPlain = code === undefined && example === undefined && !dynamic && accept === "*/*";
    const plain = isPlain ? onlyExample(document, listed) : undefined;
    if (plain !== undefined && fits(listed, plain)) return plain;
    const { instance, read } = await prism();
    const loaded = operations.get(pointer) ?? read(sampleDocument(document, listed));
    operations.set(pointer, loaded);
    const resources = await loaded;
    const asked = {
      ...(code === undefined ? {} : { code }),
      ...(example === undefined ? {} : { exampleKey: example }),
      ...(accept === "*/*" ? {} : { mediaTypes }),
    };
    const first = await select({ dynamic, ...asked });
    if (example !== undefined || first === undefined || fits(listed, first)) return first;
    for (let guess = 0; guess < maxGuesses; guess++) {
      const next = await select({ dynamic: guess > 0, seed: String(guess), ignoreExamples: true, ...asked });
      if (next !== undefined && fits(listed, next)) return next;
    }
    return first;

    async function select(mock: {
      dynamic: boolean;
      seed?: string;
      ignoreExamples?: boolean;
    }): Promise<Answer | undefined> {
      const request = { method: listed.method, url: { path: "/" } };
      const answer = await instance.request(request, resources, { ...config, mock })();
      // Without request validation, Prism fails only if the contract has no such response.
      if (answer._tag === "Left") return undefined;
      const { statusCode: status, headers: given = {}, body } = answer.right.output;
      const headers = Object.fromEntries(
        Object.entries(given).flatMap(([name, value]) => (value === null ? [] : [[name.toLowerCase(), String(value)]])),
      );
      const { "content-type": mediaType, ...others } = headers;
      if (mediaType === undefined) return { status, headers: others };
      // Of a body without a schema, Prism makes nothing.
      return { status, headers: others, mediaType, body: restoreData(body ?? (isJsonType(mediaType) ? null : "")) };
    }
  }

  function fits(listed: ListedOperation, answer: Answer): boolean {
    if (answer.mediaType === undefined || !isJsonType(answer.mediaType)) return true;
    const { at, media } = mediaOf(listed, answer) ?? {};
    return media?.schema === undefined || check(`${at}/schema`, answer.body) === undefined;
  }

  /** What documents the body of a response, and its JSON pointer. */
  function mediaOf(listed: ListedOperation, { status, mediaType = "" }: Answer) {
    const key = responseKey(listed, status);
    const response = key === undefined ? undefined : listed.operation.responses[key];
    if (key === undefined || response === undefined) return undefined;
    const at = "$ref" in response ? response.$ref.slice(1) : `${operationPointer(listed)}/responses/${key}`;
    const media = resolve<ResponseObject>(document, response).content?.[mediaType];
    return { at: `${at}/content/${escapeKey(mediaType)}`, media };
  }
}

/**
 * What Prism selects where the contract leaves no choice: the first example of a success that has one media type and no headers. Undefined
 * in any other case.
 */
function onlyExample(document: ContractDocument, { operation: { responses } }: ListedOperation): Answer | undefined {
  const [status = ""] = Object.keys(responses)
    .filter((key) => /^2\d\d$/.test(key))
    .sort();
  const { headers, content = {} } = resolve<Partial<ResponseObject>>(document, responses[status] ?? {});
  const [[mediaType, media] = [], ...others] = Object.entries(content);
  const [first] = Object.values(media?.examples ?? {});
  const body = first?.value ?? media?.example;
  if (headers !== undefined || mediaType === undefined || others.length > 0 || body === undefined) return undefined;
  return { status: Number(status), headers: {}, mediaType, body };
}

/** The key of the response that documents a status: the status, its range, or `default`. Undefined if none does. */
export function responseKey({ operation }: ListedOperation, status: number): string | undefined {
  const keys = Object.keys(operation.responses);
  const range = `${String(status).charAt(0)}XX`;
  return [String(status), range, "default"]
    .map((wanted) => keys.find((key) => key.toUpperCase() === wanted.toUpperCase()))
    .find((key) => key !== undefined);
}

/** Prism requires a pino logger; the mock reports problems in its responses instead. */
function silentLogger(): never {
  const silent = { child: () => silent } as Record<string, unknown>;
  for (const level of ["trace", "debug", "info", "success", "warn", "error", "fatal"]) silent[level] = () => {};
  return silent as never;
}
