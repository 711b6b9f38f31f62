import type { CallerName, StateName } from "../../../generated/chat/states.js";
import { type Behaviour, type OperationId, setupOf } from "./behaviour.js";
import type { KnownOrganizations } from "./known-organizations.js";
import { type Handle, headerOf, type WireRequest, type WireResponse, withHeader } from "./wire.js";

/** A JSON object. */
export type Json = Record<string, unknown>;

/** A stateless behaviour. */
export function always(
  on: Behaviour["on"],
  handle: (request: WireRequest, forward: Parameters<Handle>[1], known: KnownOrganizations) => ReturnType<Handle>,
): Behaviour {
  return { on, start: (known) => (request, forward) => handle(request, forward, known) };
}

/** The context of a response. */
export interface About {
  readonly status: number;
  readonly request: WireRequest;
  readonly known: KnownOrganizations;
}

/** Changes the JSON of every response, in place or by the return value. Does not change a response that is not a JSON object. */
export function changesJson(on: Behaviour["on"], change: (body: Json, about: About) => unknown): Behaviour {
  return always(on, async (request, forward, known) => {
    const answer = await forward(request);
    const body = jsonOf(answer);
    if (body === undefined) return answer;
    const changed = await change(body, { status: answer.status, request, known });
    return withJson(answer, changed === undefined ? body : changed);
  });
}

/** Changes the JSON of successes. */
export function changesSuccess(on: Behaviour["on"], change: (body: Json, about: About) => unknown): Behaviour {
  return changesJson(on, (body, about) => (about.status < 300 ? change(body, about) : undefined));
}

/** Changes the JSON of errors. */
export function changesError(on: Behaviour["on"], change: (body: Json, about: About) => unknown): Behaviour {
  return changesJson(on, (body, about) => (about.status >= 400 ? change(body, about) : undefined));
}

/** Changes the values that a provider state returns, in place. */
export function changesValues(
  state: StateName,
  change: (values: Json, params: Readonly<Record<string, unknown>>) => void,
): Behaviour {
  const handle: Handle = async (request, forward) => {
    const answer = await forward(request);
    const values = jsonOf(answer);
    if (answer.status !== 200 || values === undefined) return answer;
    change(values, setupOf(request).params ?? {});
    return withJson(answer, values);
  };
  return { on: [], states: [state], start: () => handle };
}

/** Changes each message in the responses of `GET /messages`. */
export function changesMessages(change: (message: Json, about: About) => unknown): Behaviour {
  return changesSuccess(["getMessages"], (body, about) => {
    body.messages = listOf(body.messages).map((message) => change(message, about) ?? message);
  });
}

/** Changes whole responses. */
export function changesAnswer(
  on: Behaviour["on"],
  change: (answer: WireResponse, request: WireRequest) => WireResponse,
): Behaviour {
  return always(on, async (request, forward) => change(await forward(request), request));
}

/** Changes the form fields or query parameters before the request is forwarded. */
export function changesParameters(
  on: readonly OperationId[],
  change: (parameters: URLSearchParams, request: WireRequest, known: KnownOrganizations) => unknown,
): Behaviour {
  return always(on, (request, forward, known) =>
    forward(withParameters(request, (parameters) => change(parameters, request, known))),
  );
}

/** Ignores parameters. */
export function ignores(on: OperationId, ...names: readonly string[]): Behaviour {
  return changesParameters([on], (parameters) => {
    for (const name of names) parameters.delete(name);
  });
}

/** Returns success instead of errors whose `msg` begins with `refusal`. */
export function forgives(
  on: OperationId,
  refusal: string,
  body: (about: About & { readonly refused: Json }) => Json = () => ({}),
): Behaviour {
  return always([on], async (request, forward, known) => {
    const answer = await forward(request);
    const { status } = answer;
    const refused = jsonOf(answer);
    if (status < 400 || !String(refused?.msg).startsWith(refusal)) return answer;
    return success(body({ status, request, known, refused: refused ?? {} }));
  });
}

/** Returns BAD_REQUEST if a condition holds. */
export function refuses(
  on: OperationId,
  condition: (parameters: URLSearchParams, about: WireRequest) => boolean,
): Behaviour {
  return always([on], (request, forward) =>
    condition(parametersOf(request), request) ? failure(400, "BAD_REQUEST", "Not today") : forward(request),
  );
}

/** Refuses the calls of a caller. */
export function refusesCaller(
  on: Behaviour["on"],
  caller: CallerName,
  answer: WireResponse = failure(400, "BAD_REQUEST", "Not today"),
): Behaviour {
  return always(on, (request, forward, known) =>
    known.callerOf(request)?.caller === caller ? answer : forward(request),
  );
}

/** Returns the form fields of a request, or its query parameters if it is a GET or HEAD. */
export function parametersOf(request: WireRequest): URLSearchParams {
  return new URLSearchParams(isQueried(request) ? (request.target.split("?")[1] ?? "") : String(request.body));
}

/** Returns the request with changed parameters. */
export function withParameters(request: WireRequest, change: (parameters: URLSearchParams) => unknown): WireRequest {
  const parameters = parametersOf(request);
  const before = String(parameters);
  change(parameters);
  if (String(parameters) === before) return request;
  if (!isQueried(request)) return { ...request, body: Buffer.from(String(parameters)) };
  const query = String(parameters);
  return { ...request, target: `${request.target.split("?")[0]}${query === "" ? "" : `?${query}`}` };
}

function isQueried({ method }: WireRequest): boolean {
  return method === "GET" || method === "HEAD";
}

/** Returns the JSON object in a response; undefined if it has none. */
export function jsonOf(answer: Pick<WireResponse, "headers" | "body">): Json | undefined {
  if (!headerOf(answer, "Content-Type")?.startsWith("application/json")) return undefined;
  try {
    const body: unknown = JSON.parse(String(answer.body));
    return isJson(body) ? body : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the response with another JSON body. */
export function withJson(answer: WireResponse, body: unknown): WireResponse {
  return { ...answer, body: Buffer.from(JSON.stringify(body)) };
}

/** A new success. */
export function success(body: Json = {}): WireResponse {
  return answerJson(200, { result: "success", msg: "", ...body });
}

/** A new error. */
export function failure(status: number, code: string, msg: string, fields: Json = {}): WireResponse {
  return answerJson(status, { result: "error", msg, code, ...fields });
}

function answerJson(status: number, body: Json): WireResponse {
  const bytes = Buffer.from(JSON.stringify(body));
  const headers = [
    ["Content-Type", "application/json"],
    ["Content-Length", String(bytes.length)],
  ] as const;
  return { status, headers, body: bytes };
}

/** Returns the response with another `Content-Type`, or without one. */
export function withContentType(answer: WireResponse, type?: string): WireResponse {
  return withHeader(answer, "Content-Type", type);
}

/** The objects in a list; empty for any other value. */
export function listOf(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter(isJson) : [];
}

/** Whether a value is an object and not an array. */
export function isJson(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
