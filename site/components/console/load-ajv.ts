import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";

// Replaces src/verify/judge/load-ajv.ts in the site, because browsers have no `require` (see `.vitepress/config.ts`).

/** The class of Ajv for JSON Schema 2020-12. */
export function loadAjv(): typeof Ajv2020 {
  return Ajv2020;
}

/** The function that adds the formats to Ajv. */
export function loadFormats(): typeof formats.default {
  return formats.default ?? formats;
}
