import type { Caller } from "../check.js";
import { valueAt } from "../json-pointer.js";
import type { Conventions } from "./conventions.js";
import type { Rule } from "./rule.js";

/** A JSON Schema (2020-12) of the contract. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  const?: unknown;
  enum?: unknown[];
  required?: string[];
  properties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  not?: Schema;
  default?: unknown;
  deprecated?: boolean;
  description?: string;
  examples?: unknown[];
  "x-feature-level"?: FeatureLevel;
  /** Of a parameter of a provider state: whether nothing else refers to what it holds. */
  "x-free-text"?: boolean;
  [keyword: string]: unknown;
}

/** `x-feature-level`: the levels at which a part of the contract exists, and how later levels changed it. */
export interface FeatureLevel {
  /** The first level that includes it. */
  readonly added?: number;
  /** The first level that deprecates it. */
  readonly deprecated?: number;
  /** The first level without it. */
  readonly removed?: number;
  readonly changed?: readonly LevelChange[];
  readonly note?: string;
}

/** A change of one level. */
export interface LevelChange {
  readonly level: number;
  readonly note: string;
  /** A JSON merge patch (RFC 7396) that restores the object below the level. */
  readonly before?: Readonly<Record<string, unknown>>;
}

/** A named example. A response example with `x-case` is a case. */
export interface ExampleObject {
  summary?: string;
  value: unknown;
  "x-case"?: CaseNotes;
}

/** The notes of a case. `openapi/README.md` explains each key. */
export interface CaseNotes {
  rule: string;
  also?: string[];
  "relies-on"?: string[];
  as?: Caller;
  given: (string | GivenState)[];
  bind?: Record<string, unknown>;
  exact?: string[];
  open?: string;
}

/** A provider state with its parameters. */
export interface GivenState {
  state: string;
  params?: Record<string, unknown>;
  rename?: Record<string, string>;
}

/** The encoding of a form field. */
export interface EncodingObject {
  contentType?: string;
  style?: string;
  explode?: boolean;
  "x-refers-to"?: Reference;
}

/** A parameter value that identifies something in an organization. `openapi/checks.md` explains each key. */
export interface Reference {
  kind: string;
  inaccessible?: "allowed";
  "absent-from"?: string;
  rules?: string[];
  "relies-on"?: string[];
}

export interface MediaTypeObject {
  schema: Schema;
  /** The schema of each item of a sequence. Source: OpenAPI 3.2, "Media Type Object". */
  itemSchema?: Schema;
  encoding?: Record<string, EncodingObject>;
  example?: unknown;
  examples?: Record<string, ExampleObject>;
}

export interface ParameterObject {
  name: string;
  in: "path" | "query" | "header" | "cookie";
  required?: boolean;
  deprecated?: boolean;
  description?: string;
  schema?: Schema;
  content?: Record<string, MediaTypeObject>;
  example?: unknown;
  examples?: Record<string, ExampleObject>;
  "x-feature-level"?: FeatureLevel;
  /** Source: OpenAPI 3.1, "Style Values". */
  style?: string;
  explode?: boolean;
  "x-allow-slashes"?: boolean;
  allowEmptyValue?: boolean;
  "x-refers-to"?: Reference;
}

export interface ResponseObject {
  description: string;
  headers?: Record<string, unknown>;
  content?: Record<string, MediaTypeObject>;
  "x-feature-level"?: FeatureLevel;
}

export interface OperationObject {
  operationId: string;
  summary: string;
  description?: string;
  tags: string[];
  deprecated?: boolean;
  security?: Record<string, string[]>[];
  parameters?: (ParameterObject | { $ref: string })[];
  requestBody?: { required?: boolean; content: Record<string, MediaTypeObject> };
  responses: Record<string, ResponseObject | { $ref: string }>;
  "x-feature": string;
  "x-protocol"?: "tus";
  /** Which of the cases in files is the first example. */
  "x-typical-case"?: string;
  "x-feature-level"?: FeatureLevel;
  "x-rules"?: Rule[];
}

/** A part of a document that cannot be used, and so is not judged. */
export interface NotJudged {
  /** Undefined for a part of which no file is known. */
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  /** The key of the part in the object that has it. */
  readonly key: string;
  readonly text: string;
}

/** The key of the parts of a document that cannot be used. As a symbol, it is in no output. */
export const notJudged = Symbol("not judged");

/** The bundled contract: one document with only local references and inlined examples. */
export interface ContractDocument {
  [notJudged]?: readonly NotJudged[];
  openapi: string;
  info: { title: string; version: string; [key: string]: unknown };
  servers: { url: string; [key: string]: unknown }[];
  paths: Record<string, Partial<Record<Method, OperationObject>>>;
  components: {
    schemas: Record<string, Schema>;
    responses?: Record<string, ResponseObject>;
    parameters?: Record<string, ParameterObject>;
    [section: string]: unknown;
  };
  security?: Record<string, string[]>[];
  "x-rules"?: Rule[];
  /** What `accord.yaml` says about the contract. Added when the contract is loaded. */
  "x-accord"?: Conventions;
  /** Operations that the contract does not describe, as method and path. */
  "x-other-operations"?: string[];
  [key: string]: unknown;
}

/** The methods of operations (OpenAPI 3.2, "Path Item Object"), in the order in which operations of a path are listed. */
export const methods = ["get", "head", "post", "put", "patch", "delete", "options", "trace", "query"] as const;
export type Method = (typeof methods)[number];

/**
 * Resolves a local reference such as `#/components/schemas/UserId`. Returns an object whose `$ref` leads nowhere as it is: a document that
 * has been read has such only in data, such as an example of a schema language.
 */
export function resolve<T extends object>(document: object, value: T | { $ref: string }): T {
  // A media type may lack its schema.
  if (typeof value !== "object" || value === null) return {} as T;
  if (!("$ref" in value) || typeof value.$ref !== "string" || !value.$ref.startsWith("#")) return value as T;
  const found = valueAt(document, value.$ref);
  return typeof found !== "object" || found === null ? (value as T) : (found as T);
}
