import type { Behaviour, OperationId } from "./behaviour.js";
import type { KnownOrganizations } from "./known-organizations.js";
import { type Handle, headerOf, type WireRequest, type WireResponse, withHeader } from "./wire.js";

/** A JSON object. */
export type Json = Record<string, unknown>;

/** A behaviour without a memory. */
export function always(
  on: Behaviour["on"],
  handle: (request: WireRequest, forward: Parameters<Handle>[1], known: KnownOrganizations) => ReturnType<Handle>,
): Behaviour {
  return { on, start: (known) => (request, forward) => handle(request, forward, known) };
}

/** What is known of an answer besides its body. */
export interface About {
  readonly status: number;
  readonly request: WireRequest;
  readonly known: KnownOrganizations;
}

/** Changes the JSON of every answer: in place, or by what is returned. Answers that are no JSON object stay as they are. */
export function changesJson(on: Behaviour["on"], change: (body: Json, about: About) => unknown): Behaviour {
  return always(on, async (request, forward, known) => {
    const answer = await forward(request);
    const body = jsonOf(answer);
    if (body === undefined) return answer;
    const changed = await change(body, { status: answer.status, request, known });
    return withJson(answer, changed === undefined ? body : changed);
  });
}

/** Changes the JSON of successes alone. */
export function changesSuccess(on: Behaviour["on"], change: (body: Json, about: About) => unknown): Behaviour {
  return changesJson(on, (body, about) => (about.status < 300 ? change(body, about) : undefined));
}

/** Changes the JSON of errors alone. */
export function changesError(on: Behaviour["on"], change: (body: Json, about: About) => unknown): Behaviour {
  return changesJson(on, (body, about) => (about.status >= 400 ? change(body, about) : undefined));
}

/** Changes each message of the answers of `GET /messages`. */
export function changesMessages(change: (message: Json, about: About) => unknown): Behaviour {
  return changesSuccess(["getMessages"], (body, about) => {
    body.messages = listOf(body.messages).map((message) => change(message, about) ?? message);
  });
}

/** Changes what comes back besides the body. */
export function changesAnswer(
  on: Behaviour["on"],
  change: (answer: WireResponse, request: WireRequest) => WireResponse,
): Behaviour {
  return always(on, async (request, forward) => change(await forward(request), request));
}

/** Changes the fields of a form, or the parameters of a query string, before they are sent on. */
export function changesParameters(
  on: readonly OperationId[],
  change: (parameters: URLSearchParams, request: WireRequest, known: KnownOrganizations) => unknown,
): Behaviour {
  return always(on, (request, forward, known) =>
    forward(withParameters(request, (parameters) => change(parameters, request, known))),
  );
}

/** Does not see a parameter. */
export function ignores(on: OperationId, ...names: readonly string[]): Behaviour {
  return changesParameters([on], (parameters) => {
    for (const name of names) parameters.delete(name);
  });
}

/** Answers success in the place of the refusals whose `msg` begins like this. */
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

/** Refuses what a condition holds for, in the way in which bad requests are refused. */
export function refuses(
  on: OperationId,
  condition: (parameters: URLSearchParams, about: WireRequest) => boolean,
): Behaviour {
  return always([on], (request, forward) =>
    condition(parametersOf(request), request) ? failure(400, "BAD_REQUEST", "Not today") : forward(request),
  );
}

/** The parameters of a request: those of its form, or of its query string when it is a GET. */
export function parametersOf(request: WireRequest): URLSearchParams {
  return new URLSearchParams(isQueried(request) ? (request.target.split("?")[1] ?? "") : String(request.body));
}

/** The request with other parameters. */
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

/** The JSON object in an answer; undefined when there is none. */
export function jsonOf(answer: Pick<WireResponse, "headers" | "body">): Json | undefined {
  if (!headerOf(answer, "Content-Type")?.startsWith("application/json")) return undefined;
  try {
    const body: unknown = JSON.parse(String(answer.body));
    return isJson(body) ? body : undefined;
  } catch {
    return undefined;
  }
}

/** The answer with another body, as JSON. */
export function withJson(answer: WireResponse, body: unknown): WireResponse {
  return { ...answer, body: Buffer.from(JSON.stringify(body)) };
}

/** A success of its own. */
export function success(body: Json = {}): WireResponse {
  return answerJson(200, { result: "success", msg: "", ...body });
}

/** An error of its own. */
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

/** The answer in another media type; without one, without `Content-Type`. */
export function withContentType(answer: WireResponse, type?: string): WireResponse {
  return withHeader(answer, "Content-Type", type);
}

/** The objects in a list; none when it is no list. */
export function listOf(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter(isJson) : [];
}

/** Whether a value is an object, and no array. */
export function isJson(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
