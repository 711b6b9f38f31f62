import type { CodeKeywordDefinition, Options } from "ajv";
import type { Ajv2020 } from "ajv/dist/2020.js";
import type { AbsentKeyword, Resolve } from "./direction.js";
import { withDiscriminator } from "./discriminator-keywords.js";
import { ownKeywords } from "./keywords.js";
import { loadAjv, loadFormats } from "./load-ajv.js";
import { ajvRegExp } from "./pattern.js";

/** Creates an Ajv for JSON Schema 2020-12. Throws a `UsageError` if `ajv`, an optional dependency, is not installed. */
export function createAjv(options: Options): Ajv2020 {
  return new (loadAjv().Ajv2020)(options);
}

/** How the schemas of a document are read. */
export interface DocumentAjvOptions {
  /** Whether `format` forbids anything. */
  readonly formats: boolean;
  /** Whether the parent of an error's keyword is in the error. */
  readonly verbose?: boolean;
  /** The keyword of what does not travel in the judged direction, so that it is never required. */
  readonly absent?: AbsentKeyword;
  /** Finds what references of the schemas name. By default, they name nothing. */
  readonly resolve?: Resolve;
}

/**
 * Creates the Ajv for schemas of any author: it ignores keywords that JSON Schema lacks, and stops at the first error outside of
 * alternatives. Throws a `UsageError` if Ajv is not installed.
 */
export function createDocumentAjv({
  formats,
  verbose = false,
  absent,
  resolve = () => undefined,
}: DocumentAjvOptions): Ajv2020 {
  const ajv = createAjv({
    strict: false,
    meta: false,
    validateSchema: false,
    validateFormats: formats,
    inlineRefs: false,
    ownProperties: true,
    verbose,
    logger: false,
    code: { regExp: ajvRegExp },
  });
  // Words of other vocabularies, which Ajv rejects.
  for (const word of ["nullable", "id"]) ajv.removeKeyword(word);
  const alternatives = ["oneOf", "anyOf"].map((one) =>
    withDiscriminator(ajv.getKeyword(one) as CodeKeywordDefinition, resolve),
  );
  for (const { keyword, ...rest } of [...ownKeywords(resolve, absent), ...alternatives]) {
    ajv.removeKeyword(String(keyword));
    ajv.addKeyword({ keyword, ...rest });
  }
  if (formats) loadFormats()(ajv);
  return ajv;
}
