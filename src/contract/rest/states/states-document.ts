import { readFileSync } from "node:fs";
import { parseYaml } from "../../yaml-source.js";
import type { Schema } from "../document.js";
import type { StatesCatalogue } from "../states.js";

/** The content of a `states.yaml`. */
export interface StatesDocument extends Pick<StatesCatalogue, "paths"> {
  /** Descriptions of the callers, by name. */
  readonly "x-callers": Readonly<Record<string, string>>;
  readonly "x-states": Readonly<Record<string, StateDefinition>>;
  /** Schemas that states share. */
  readonly "x-types"?: Readonly<Record<string, Schema>>;
}

/** A provider state: its description, parameters and returned values. */
export interface StateDefinition {
  readonly description?: string;
  /** Whether servers may lack it. */
  readonly optional?: boolean;
  readonly params?: Schema;
  readonly values?: Schema;
}

/** Reads a `states.yaml`. Throws if the file is missing or is not YAML. */
export function readStates(file: string): StatesDocument {
  return parseYaml(readFileSync(file, "utf8")) as StatesDocument;
}

/** The schema of a state without parameters. */
export const emptyObject: Schema = { type: "object", additionalProperties: false };

/** The shared schemas that `setupParams` references. */
export function sharedTypes(document: StatesDocument): object {
  return { $id: "states", "x-types": document["x-types"] ?? {} };
}

/** The schema of a state's setup parameters: its own and `organization`, which every state accepts. */
export function setupParams({ params = emptyObject }: StateDefinition): object {
  const schema = { ...params, properties: { ...params.properties, organization: { type: "string" } } };
  return JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"states#/'));
}
