import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { ValidateFunction } from "ajv";
import { isObject } from "../../base/is-object.js";
import { compileFileSchema } from "../../schema/compile-file-schema.js";
import { schemaProblems } from "../schema-problems.js";
import { shownPath } from "../shown-path.js";
import { type Path, type Problem, readYamlSource } from "../yaml-source.js";
import type { ExampleObject } from "./document.js";

/** A file of `components/examples/<operationId>/` that matches its schema. */
export interface CaseFile {
  readonly operationId: string;
  /** The name of the case. */
  readonly name: string;
  readonly path: string;
  readonly content: {
    readonly parameters?: Readonly<Record<string, unknown>>;
    readonly request?: ExampleObject;
    readonly status: number;
    readonly response: ExampleObject;
  };
  readonly problem: (path: Path, text: string) => Problem;
}

/** The content of `components/examples`. */
export interface CaseFiles {
  /** Ordered by operation and name. */
  readonly files: readonly CaseFile[];
  readonly problems: readonly Problem[];
}

let compiled: ValidateFunction<CaseFile["content"]> | undefined;

/** Compiles the schema once, because Redocly may read several contracts. */
function caseValidator(): ValidateFunction<CaseFile["content"]> {
  compiled ??= compileFileSchema<CaseFile["content"]>({ file: "openapi/components/examples/case.schema.json" });
  return compiled;
}

/**
 * Reads the cases of a contract, given the folder of its root document. Other documents may keep examples of another form there, which are
 * ignored unless `isStrict`.
 */
export function readCaseFiles(contractFolder: string, isStrict: boolean): CaseFiles {
  const validate = caseValidator();
  const folder = join(contractFolder, "components/examples");
  const files: CaseFile[] = [];
  const problems: Problem[] = [];
  if (!existsSync(folder)) return { files, problems };
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  for (const path of entries.map((entry) => join(entry.parentPath, entry.name)).sort()) {
    const inFolder = path.slice(folder.length + 1).replaceAll("\\", "/");
    if (inFolder === "case.schema.json") continue;
    const shown = shownPath(path);
    const [, operationId, name] = /^([^/]+)\/([^/]+)\.ya?ml$/.exec(inFolder) ?? [];
    if (operationId === undefined || name === undefined) {
      if (isStrict || isCase(path, shown))
        problems.push(`${shown}: a case is a file <operationId>/<case>.yaml: rename this file, or move it elsewhere`);
      continue;
    }
    const { content, problem, problems: broken } = readYamlSource(path, shown);
    if (!isStrict && !looksLikeCase(content)) continue;
    if (broken.length > 0) problems.push(...broken);
    else if (validate(content)) files.push({ operationId, name, path, content, problem });
    else problems.push(...schemaProblems(validate.errors ?? []).map(({ path: at, text }) => problem(at, text)));
  }
  return { files, problems };
}

function isCase(path: string, shown: string): boolean {
  return /\.(?:ya?ml|json)$/.test(path) && looksLikeCase(readYamlSource(path, shown).content);
}

/** Whether a file means to be a case: no example of OpenAPI has a `response` like that. */
function looksLikeCase(content: unknown): boolean {
  return isObject(content) && isObject(content.response) && ("x-case" in content.response || "status" in content);
}
