import * as ajv from "ajv/dist/2020.js";
import formats from "ajv-formats";

// Replaces src/schema/load-ajv.ts in the site, because browsers have no `require` (see `.vitepress/config.ts`).

/** Ajv for JSON Schema 2020-12. */
export function loadAjv(): typeof ajv {
  return ajv;
}

/** The function that adds the formats to Ajv. */
export function loadFormats(): typeof formats.default {
  return formats.default ?? formats;
}

/** The site shows only the contracts of this project, whose patterns need no other engine. */
export function loadRe2(): undefined {
  return undefined;
}

/** Browsers have no time limit for a call. */
export function loadVm(): undefined {
  return undefined;
}
