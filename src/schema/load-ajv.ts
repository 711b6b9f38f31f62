import { createRequire } from "node:module";
import { UsageError } from "../base/usage-error.js";

const require = createRequire(import.meta.url);

/** Loads an optional dependency synchronously, because validation is synchronous. */
function load<Module>(name: string): Module {
  try {
    return require(name);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "MODULE_NOT_FOUND")) throw error;
    throw new UsageError(
      "Values are compared with schemas by Ajv, which is not installed. Install it with: npm install --save-dev ajv ajv-formats",
    );
  }
}

/** Ajv for JSON Schema 2020-12. Throws a `UsageError` if `ajv` is not installed. */
export function loadAjv(): typeof import("ajv/dist/2020.js") {
  return load("ajv/dist/2020.js");
}

/** The function that adds the formats to Ajv. Throws a `UsageError` if `ajv-formats` is not installed. */
export function loadFormats(): typeof import("ajv-formats").default {
  return load<typeof import("ajv-formats")>("ajv-formats").default;
}

/** The linear engine of patterns. Undefined if `re2js` is not installed. */
export function loadRe2(): typeof import("re2js") | undefined {
  try {
    return require("re2js");
  } catch {
    return undefined;
  }
}

/** Runs code with a time limit. Undefined where there is none, such as in browsers. */
export function loadVm(): typeof import("node:vm") | undefined {
  return require("node:vm");
}
