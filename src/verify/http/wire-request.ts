import type { SentAs } from "../../contract/check.js";
import type { ProbedOperation, ProbedParameter } from "../derive/probed-operation.js";
import { describedFile } from "./case-request.js";
import type { HttpPart, HttpRequest } from "./http-message.js";

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
    const form = formOf(value);
    if (form.kind === "verbatim" && parameter?.place === "path") {
      wire = { ...wire, path: { ...wire.path, [name]: form.text } };
      continue;
    }
    const parts =
      "text" in form ? [form.text] : partsOf(parameter, form.value).map((part) => wireValue(parameter, part));
    for (const part of form.kind === "twice" ? [...parts, ...parts] : parts) {
      wire =
        form.kind === "query"
          ? { ...wire, query: [...wire.query, [name, part]] }
          : withValue(operation, wire, name, part);
    }
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
  const file = parameter?.isFile ? describedFile(value) : undefined;
  if (file !== undefined) return file;
  return parameter?.json || (typeof value === "object" && value !== null) ? JSON.stringify(value) : String(value);
}

/** A list of files is a part for each. */
function partsOf(parameter: ProbedParameter | undefined, value: unknown): unknown[] {
  return parameter?.isFile && Array.isArray(value) ? value : [value];
}

/** How a value is sent. */
type ValueForm =
  | { readonly kind: "plain" | "twice" | "query"; readonly value: unknown }
  | { readonly kind: "text" | "verbatim"; readonly text: string };

function formOf(value: unknown): ValueForm {
  const [entry, ...others] = typeof value === "object" && value !== null ? Object.entries(value) : [];
  const [key, inner] = entry ?? [];
  if (others.length === 0 && (key === "text" || key === "verbatim")) return { kind: key, text: String(inner) };
  if (others.length === 0 && (key === "twice" || key === "query")) return { kind: key, value: inner };
  return { kind: "plain", value };
}

/** Gives a request another form than that of its operation. */
export function sentAs(wire: WireRequest, { method, type, multipart, body }: SentAs = {}): WireRequest {
  const changed = method === undefined ? wire : { ...wire, method, body: [] };
  if (body !== undefined) return { ...changed, bodyAs: { kind: "raw", type: type ?? "text/plain", text: body } };
  if (multipart) return { ...changed, bodyAs: { kind: "multipart" } };
  return type === undefined ? changed : { ...changed, bodyAs: { kind: "form", type } };
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
