import { describedFile } from "../exchange/case-request.js";
import type { HttpPart, HttpRequest } from "../exchange/http-message.js";
import type { RequestChange } from "./probe.js";
import type { ProbedOperation, ProbedParameter } from "./probed-operation.js";

/** An encoded parameter. */
export type WireField = HttpPart;

/** A request with encoded values that is not yet serialized, so that a probe can change it. */
export interface WireRequest {
  readonly method: string;
  /** The path template below `/api/v1`. */
  readonly template: string;
  /** The values of the template, percent-encoded. */
  readonly path: Readonly<Record<string, string>>;
  readonly query: readonly WireField[];
  readonly headers: readonly WireField[];
  readonly body: readonly WireField[];
  readonly bodyAs: WireBody;
  readonly authorization?: string;
}

/** How to serialize the fields of a body. */
export type WireBody =
  | { readonly kind: "form"; readonly type?: string }
  | { readonly kind: "multipart" }
  /** Replaces the fields with this text. */
  | { readonly kind: "raw"; readonly type: string; readonly text: string };

/** Encodes the parameters of a call, without credentials. Those that the operation lacks are sent as text. */
export function wireRequest(operation: ProbedOperation, values: Readonly<Record<string, unknown>>): WireRequest {
  const empty = { path: {}, query: [], headers: [], body: [] };
  const blank = { ...empty, method: operation.method, template: operation.path, bodyAs: { kind: operation.body } };
  let wire: WireRequest = blank;
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined || value === null) continue;
    const parameter = parameterOf(operation, name);
    if (parameter?.place === "path" && isVerbatim(value))
      wire = { ...wire, path: { ...wire.path, [name]: value.verbatim } };
    // A list of files is a part for each.
    else
      for (const part of parameter?.isFile ? [value].flat() : [value])
        wire = withValue(operation, wire, name, wireValue(parameter, part));
  }
  return wire;
}

function parameterOf({ parameters }: ProbedOperation, name: string): ProbedParameter | undefined {
  return parameters.find((parameter) => parameter.name === name);
}

/**
 * Encodes a value as text: as JSON if the contract requires that, or if it is an array or object of a parameter that the contract lacks.
 */
export function wireValue(parameter: ProbedParameter | undefined, value: unknown): string | File {
  if (isVerbatim(value)) return value.verbatim;
  const file = parameter?.isFile ? describedFile(value) : undefined;
  if (file !== undefined) return file;
  return parameter?.json || (typeof value === "object" && value !== null) ? JSON.stringify(value) : String(value);
}

function isVerbatim(value: unknown): value is { readonly verbatim: string } {
  return typeof value === "object" && value !== null && "verbatim" in value;
}

/** Applies the change of a probe, unless it depends on callers or organizations. */
export function changeRequest(operation: ProbedOperation, wire: WireRequest, change: RequestChange): WireRequest {
  switch (change.kind) {
    case "omit":
      return withoutParameter(wire, change.parameter);
    case "replace":
      return withText(operation, wire, change.parameter, change.text);
    case "repeat": {
      const again = (fields: readonly WireField[]) => fields.filter(([name]) => name === change.parameter);
      return { ...wire, query: [...wire.query, ...again(wire.query)], body: [...wire.body, ...again(wire.body)] };
    }
    case "move-to-query": {
      const moved = wire.body.filter(([name]) => name === change.parameter);
      return { ...withoutParameter(wire, change.parameter), query: [...wire.query, ...moved] };
    }
    case "add-unknown": {
      const fields = Object.entries(change.parameters);
      return operation.method === "GET"
        ? { ...wire, query: [...wire.query, ...fields] }
        : { ...wire, body: [...wire.body, ...fields] };
    }
    case "as-multipart":
      return { ...wire, bodyAs: { kind: "multipart" } };
    case "content-type":
      return { ...wire, bodyAs: { kind: "form", type: change.value } };
    case "raw-body":
      return { ...wire, bodyAs: { kind: "raw", type: change.type, text: change.body } };
    case "method":
      return { ...wire, method: change.method, body: [] };
    case "authorization":
      return change.authorization === undefined ? wire : { ...wire, authorization: change.authorization };
    case "none":
    case "wrong-key":
    case "caller":
    case "foreign":
    case "random-requests":
    case "random-violations":
      return wire;
  }
}

/** Removes a parameter that is not in the path. */
export function withoutParameter(wire: WireRequest, parameter: string): WireRequest {
  const others = (fields: readonly WireField[]) => fields.filter(([name]) => name !== parameter);
  return { ...wire, query: others(wire.query), headers: others(wire.headers), body: others(wire.body) };
}

/** Sets a parameter to a text, whether the request had it before or not. */
export function withText(
  operation: ProbedOperation,
  wire: WireRequest,
  parameter: string,
  text: string | File,
): WireRequest {
  return withValue(operation, withoutParameter(wire, parameter), parameter, text);
}

function withValue(operation: ProbedOperation, wire: WireRequest, name: string, text: string | File): WireRequest {
  const place = parameterOf(operation, name)?.place ?? (operation.method === "GET" ? "query" : "body");
  const field: WireField = [name, text];
  switch (place) {
    case "path":
      return { ...wire, path: { ...wire.path, [name]: encodeURIComponent(String(text)) } };
    case "query":
      return { ...wire, query: [...wire.query, field] };
    case "header":
      return { ...wire, headers: [...wire.headers, field] };
    case "body":
      return { ...wire, body: [...wire.body, field] };
  }
}

/** Serializes a request to a server. `baseUrl` does not include `/api/v1`. */
export function serializeRequest(wire: WireRequest, baseUrl: string): HttpRequest {
  const path = wire.template.replace(/\{(\w+)\}/g, (_, name: string) => wire.path[name] ?? "");
  const query = new URLSearchParams(texts(wire.query)).toString();
  const url = `${baseUrl.replace(/\/+$/, "")}/api/v1${path}${query === "" ? "" : `?${query}`}`;
  const body = bodyOf(wire);
  const headers = {
    ...Object.fromEntries(texts(wire.headers)),
    ...(wire.authorization === undefined ? {} : { Authorization: wire.authorization }),
    ...(body?.type === undefined ? {} : { "Content-Type": body.type }),
  };
  return { method: wire.method, url, headers, ...(body === undefined ? {} : { body: body.content }) };
}

function bodyOf({
  method,
  body,
  bodyAs,
}: WireRequest): { content: string | readonly HttpPart[]; type?: string } | undefined {
  if (method === "GET" || method === "HEAD") return undefined;
  if (bodyAs.kind === "raw") return { content: bodyAs.text, type: bodyAs.type };
  // The sender chooses the boundary of a multipart body and with it the media type.
  if (bodyAs.kind === "multipart") return { content: body };
  if (body.length === 0) return undefined;
  const type = bodyAs.type ?? "application/x-www-form-urlencoded";
  return { content: new URLSearchParams(texts(body)).toString(), type };
}

function texts(fields: readonly WireField[]): [string, string][] {
  return fields.map(([name, value]) => [name, String(value)]);
}
