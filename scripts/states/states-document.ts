import { readFileSync } from "node:fs";
import { parse } from "yaml";
import type { Schema } from "../../src/contract/chat/document.js";

/** What `openapi/states.yaml` says. */
export interface StatesDocument {
  /** What each caller is, by name. */
  readonly "x-callers": Readonly<Record<string, string>>;
  readonly "x-states": Readonly<Record<string, StateDefinition>>;
  /** Schemas that states share. */
  readonly "x-types": Readonly<Record<string, Schema>>;
}

/** A provider state: what it means, its parameters, and the values that it returns. */
export interface StateDefinition {
  readonly description?: string;
  readonly params?: Schema;
  readonly values?: Schema;
}

/** Reads a `states.yaml`. Throws when there is none or when it is no YAML. */
export function readStates(file: string): StatesDocument {
  return parse(readFileSync(file, "utf8"));
}

/** The schema of a state without parameters. */
export const emptyObject: Schema = { type: "object", additionalProperties: false };

/** The schema that `setupParams` refers to. */
export function sharedTypes(document: StatesDocument): object {
  return { $id: "states", "x-types": document["x-types"] };
}

/** The schema of all that a setup of a state takes: its own parameters and `organization`, which every state takes. */
export function setupParams({ params = emptyObject }: StateDefinition): object {
  const schema = { ...params, properties: { ...params.properties, organization: { type: "string" } } };
  return JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"states#/'));
}
