import { readFileSync } from "node:fs";
import type { AnySchema, ValidateFunction } from "ajv";
import { packageFile } from "../base/package-file.js";
import { createAjv } from "./create-ajv.js";

/** A JSON Schema of this package, and those that it refers to, by the URI that it has for each. */
export interface FileSchema {
  /** The path in the package. */
  readonly file: string;
  readonly refersTo?: Readonly<Record<string, string>>;
}

/** Compiles a JSON Schema of this package for files that people write. Its errors are complete and verbose. */
export function compileFileSchema<Content>({ file, refersTo = {} }: FileSchema): ValidateFunction<Content> {
  const read = (path: string): AnySchema => JSON.parse(readFileSync(packageFile(path), "utf8"));
  const ajv = createAjv({ allErrors: true, verbose: true, discriminator: true, strictTypes: false });
  for (const [uri, path] of Object.entries(refersTo)) if (path !== file) ajv.addSchema(read(path), uri);
  return ajv.compile<Content>(read(file));
}
