import { createRequire } from "node:module";
import { CouldNotRunError } from "../could-not-run-error.js";

const require = createRequire(import.meta.url);

/** Loads an optional dependency synchronously, because `fitsSchema` is synchronous. */
function load<Module>(name: string): Module {
  try {
    return require(name);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "MODULE_NOT_FOUND")) throw error;
    throw new CouldNotRunError(
      "Responses are compared with schemas by Ajv, which is not installed. Install it with: npm install --save-dev ajv ajv-formats",
    );
  }
}

/** The class of Ajv for JSON Schema 2020-12. Throws a `CouldNotRunError` if `ajv` is not installed. */
export function loadAjv(): typeof import("ajv/dist/2020.js").Ajv2020 {
  return load<typeof import("ajv/dist/2020.js")>("ajv/dist/2020.js").Ajv2020;
}

/** The function that adds the formats to Ajv. Throws a `CouldNotRunError` if `ajv-formats` is not installed. */
export function loadFormats(): typeof import("ajv-formats").default {
  return load<typeof import("ajv-formats")>("ajv-formats").default;
}
