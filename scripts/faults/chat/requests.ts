import { authorizationOf, type KnownUser } from "./known-organizations.js";
import { type Json, jsonOf, listOf } from "./messages.js";
import { type Forward, type Header, headerOf, type WireRequest, type WireResponse, withHeader } from "./wire.js";

/** A request that a fault sends by itself, in the middle of another one. */
export interface OwnCall {
  readonly method: string;
  /** Below `/api/v1`. */
  readonly path: string;
  readonly parameters?: Readonly<Record<string, string>>;
  /** Defaults to the caller of the other request. */
  readonly as?: KnownUser | undefined;
}

/** Returns the request with the credentials of another user, or unchanged without one. */
export function asUser(request: WireRequest, user: KnownUser | undefined): WireRequest {
  return user === undefined ? request : withHeader(request, "Authorization", authorizationOf(user));
}

/** Whether a request has the credentials of this user. */
export function isFrom(request: WireRequest, user: KnownUser): boolean {
  return headerOf(request, "Authorization") === authorizationOf(user);
}

/** Sends a request to the upstream server. */
export function call(
  { headers }: WireRequest,
  forward: Forward,
  { method, path, parameters = {}, as }: OwnCall,
): Promise<WireResponse> {
  const form = String(new URLSearchParams(parameters));
  const kept = headers.filter(([name]) => /^(authorization|host)$/i.test(name));
  const formHeader: Header = ["Content-Type", "application/x-www-form-urlencoded"];
  const own: WireRequest =
    method === "GET"
      ? { method, target: `/api/v1${path}?${form}`, ...unnamed, headers: kept, body: Buffer.alloc(0) }
      : { method, target: `/api/v1${path}`, ...unnamed, headers: [...kept, formHeader], body: Buffer.from(form) };
  return forward(asUser(own, as));
}

const unnamed = { operationId: undefined, path: {} };

/** Fetches messages; none if the server refuses. */
export async function fetchMessages(
  request: WireRequest,
  forward: Forward,
  parameters: Readonly<Record<string, string>>,
  as?: KnownUser,
): Promise<Json[]> {
  const range: Readonly<Record<string, string>> =
    "message_ids" in parameters ? {} : { num_before: "0", num_after: "0" };
  const asked = { ...range, allow_empty_topic_name: "true", ...parameters };
  return listOf(
    jsonOf(await call(request, forward, { method: "GET", path: "/messages", parameters: asked, as }))?.messages,
  );
}

/** Sets up a provider state that the verification does not know of, for effects that no request has. Returns its values. */
export async function setUp(forward: Forward, state: string, params: Json): Promise<Json | undefined> {
  const body = Buffer.from(JSON.stringify({ state, params, action: "setup" }));
  const headers: Header[] = [
    ["Host", "localhost"],
    ["Content-Type", "application/json"],
  ];
  return jsonOf(await forward({ method: "POST", target: "/states", ...unnamed, headers, body }));
}

/** Returns a request for another message. */
export function onMessage(request: WireRequest, id: unknown): WireRequest {
  return { ...request, target: request.target.replace(/\/messages\/[^/?]+/, `/messages/${id}`) };
}
