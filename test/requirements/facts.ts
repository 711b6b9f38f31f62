import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { parse } from "yaml";

/** The type of each field, such as `integer | null` or `object[]`. */
export type FieldFacts = Readonly<Record<string, string>>;

export interface ParameterFacts {
  readonly in: "path" | "query" | "body";
  readonly type: string;
  /** Undefined if the parameter is never required. */
  readonly required?: true | { readonly unless: string } | { readonly oneOf: readonly string[] };
  readonly default?: unknown;
}

export interface ErrorFacts {
  readonly code: string;
  readonly fields?: FieldFacts;
  /** Undefined if the requirements state none. */
  readonly status?: number;
  /** The first feature level without the code. */
  readonly until?: number;
}

export interface OperationFacts {
  readonly heading: string;
  readonly method: string;
  readonly path: string;
  readonly deprecated?: true;
  /** Undefined if there are none, `unnamed` if the requirements name none of them. */
  readonly parameters?: "unnamed" | Readonly<Record<string, ParameterFacts>>;
  readonly response?: FieldFacts;
  readonly errors?: readonly ErrorFacts[];
}

/** The tables and lists in the requirements of the chat service. */
export interface ChatFacts {
  readonly operations: readonly OperationFacts[];
  /** Fields by schema. */
  readonly objects: Readonly<Record<string, FieldFacts>>;
  readonly enumerations: Readonly<Record<string, readonly (string | number)[]>>;
  readonly errorCodes: readonly string[];
  readonly levels: readonly { readonly levels: readonly number[]; readonly subject: string }[];
}

/** The tables in the requirements of the daemon. */
export interface DaemonFacts {
  readonly enums: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Type and number of each field. */
  readonly messages: Readonly<Record<string, Readonly<Record<string, readonly [type: string, number: number]>>>>;
  /** `unnamed` marks a field that the requirements describe without naming it. */
  readonly rpcs: readonly Readonly<Record<"service" | "name" | "request" | "response", string>>[];
}

const ajv = new Ajv2020({ allErrors: true, strictTypes: false, strictTuples: false });
const validate = ajv.compile(JSON.parse(readFileSync(new URL("facts.schema.json", import.meta.url), "utf8")));

function readFacts<Facts>(name: string): Facts {
  const content = parse(readFileSync(new URL(name, import.meta.url), "utf8"));
  if (!validate(content)) throw new Error(`${name}: ${ajv.errorsText(validate.errors, { dataVar: "" })}`);
  return content as Facts;
}

export const chatFacts = readFacts<ChatFacts>("chat.yaml");
export const daemonFacts = readFacts<DaemonFacts>("daemon.yaml");

/** Splits `string | object[]` into its alternatives; those within parentheses stay together. */
export function alternativesOf(type: string): string[] {
  return type.split(/ \| (?![^(]*\))/);
}
