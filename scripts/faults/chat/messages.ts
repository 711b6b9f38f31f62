import { parseJson } from "../../../src/base/parse-json.js";
import { headerOf, type WireRequest, type WireResponse, withHeader } from "./wire.js";

/** A JSON object. */
export type Json = Record<string, unknown>;

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

/** The JSON list in a parameter; empty if it has none. */
export function listIn(parameters: URLSearchParams, name: string): unknown[] {
  const list = parseJson(parameters.get(name) ?? "");
  return Array.isArray(list) ? list : [];
}

/** Returns the JSON object in a response; undefined if it has none. */
export function jsonOf(response: Pick<WireResponse, "headers" | "body">): Json | undefined {
  if (!headerOf(response, "Content-Type")?.startsWith("application/json")) return undefined;
  try {
    const body: unknown = JSON.parse(String(response.body));
    return isJson(body) ? body : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the response with another JSON body. */
export function withJson(response: WireResponse, body: unknown): WireResponse {
  return { ...response, body: Buffer.from(JSON.stringify(body)) };
}

/** A new success. */
export function success(body: Json = {}): WireResponse {
  return respondJson(200, { result: "success", msg: "", ...body });
}

/** A new error. */
export function failure(status = 400, code = "BAD_REQUEST", msg = "Not today", fields: Json = {}): WireResponse {
  return respondJson(status, { result: "error", msg, code, ...fields });
}

/** The error for callers without valid credentials. */
export const unauthorized = failure(401, "UNAUTHORIZED", "Not logged in");

function respondJson(status: number, body: Json): WireResponse {
  const bytes = Buffer.from(JSON.stringify(body));
  const headers = [
    ["Content-Type", "application/json"],
    ["Content-Length", String(bytes.length)],
  ] as const;
  return { status, headers, body: bytes };
}

/** Whether a response is an error with this code, or with a message that begins with this text. */
export function isError(response: WireResponse, error: string): boolean {
  if (response.status < 400) return false;
  const { code, msg } = jsonOf(response) ?? {};
  return code === error || String(msg).startsWith(error);
}

/** Returns the response with another `Content-Type`, or without one. */
export function withContentType(response: WireResponse, type?: string): WireResponse {
  return withHeader(response, "Content-Type", type);
}

/** The objects in a list; empty for any other value. */
export function listOf(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter(isJson) : [];
}

/** Whether a value is an object and not an array. */
export function isJson(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
