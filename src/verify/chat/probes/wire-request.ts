import type { CaseRequest } from "../../../contract/chat/cases.js";
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
  /** The values of the template before percent-encoding. */
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

/** Encodes the request of a case, without credentials. Parameters that the operation lacks are sent as text. */
export function wireRequest(operation: ProbedOperation, request: CaseRequest): WireRequest {
  const { path, query, header, body = {} } = request;
  const fields = (values: Readonly<Record<string, unknown>>) =>
    Object.entries(values)
      .filter(([, value]) => value !== undefined && value !== null)
      .map(([name, value]): WireField => [name, wireValue(parameterOf(operation, name), value)]);
  return {
    method: operation.method,
    template: operation.path,
    path: Object.fromEntries(fields(path).map(([name, value]) => [name, String(value)])),
    query: fields(query),
    headers: fields(header),
    body: fields(body),
    bodyAs: { kind: operation.body },
  };
}

function parameterOf({ parameters }: ProbedOperation, name: string): ProbedParameter | undefined {
  return parameters.find((parameter) => parameter.name === name);
}

/**
 * Encodes a value as text: as JSON if the contract requires that, or if it is an array or object of a parameter that the contract lacks.
 */
export function wireValue(parameter: ProbedParameter | undefined, value: unknown): string | File {
  const file = parameter?.isFile ? describedFile(value) : undefined;
  if (file !== undefined) return file;
  return parameter?.json || (typeof value === "object" && value !== null) ? JSON.stringify(value) : String(value);
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
  const place = parameterOf(operation, parameter)?.place ?? (operation.method === "GET" ? "query" : "body");
  const field: WireField = [parameter, text];
  const rest = withoutParameter(wire, parameter);
  switch (place) {
    case "path":
      return { ...wire, path: { ...wire.path, [parameter]: String(text) } };
    case "query":
      return { ...rest, query: [...rest.query, field] };
    case "header":
      return { ...rest, headers: [...rest.headers, field] };
    case "body":
      return { ...rest, body: [...rest.body, field] };
  }
}

/** Serializes a request to a server. `baseUrl` does not include `/api/v1`. */
export function serializeRequest(wire: WireRequest, baseUrl: string): HttpRequest {
  const path = wire.template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(wire.path[name] ?? ""));
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
