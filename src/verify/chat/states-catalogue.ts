import { readFile } from "node:fs/promises";
import { parse } from "yaml";
import type { Schema } from "../../contract/chat/document.js";
import { openapiFile } from "../../contract/chat/openapi-file.js";

/** What is read of `openapi/states.yaml`. */
export interface StatesCatalogue {
  /** What each caller is, by name. */
  readonly "x-callers": Readonly<Record<string, string>>;
  readonly "x-states": Readonly<Record<string, StateEntry>>;
}

/** A provider state. */
export interface StateEntry {
  readonly description?: string;
  /** The values that a setup returns, besides `organization` and `credentials`. */
  readonly values?: Schema;
}

let loaded: Promise<StatesCatalogue> | undefined;

/** The provider states that the cases and workflows use. */
export function loadStatesCatalogue(): Promise<StatesCatalogue> {
  loaded ??= readFile(openapiFile("states.yaml"), "utf8")
    .then((text): StatesCatalogue => parse(text))
    .catch((error: unknown) => {
      loaded = undefined;
      throw error;
    });
  return loaded;
}
