import { existsSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import type { ValidateFunction } from "ajv";
import type { ExampleObject } from "../../contract/rest/document.js";
import { schemaProblems } from "../../contract/schema-problems.js";
import { type Path, type Problem, readYamlSource } from "../../contract/yaml-source.js";
import { compileFileSchema } from "../../schema/compile-file-schema.js";

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

/** Reads the cases of a contract, given the folder of its root document. */
export function readCaseFiles(contractFolder: string): CaseFiles {
  const validate = caseValidator();
  const folder = join(contractFolder, "components/examples");
  const files: CaseFile[] = [];
  const problems: Problem[] = [];
  if (!existsSync(folder)) return { files, problems };
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  for (const path of entries.map((entry) => join(entry.parentPath, entry.name)).sort()) {
    const inFolder = path.slice(folder.length + 1).replaceAll("\\", "/");
    if (inFolder === "case.schema.json") continue;
    const shown = `${basename(contractFolder)}/components/examples/${inFolder}`;
    const [, operationId, name] = /^([^/]+)\/([^/]+)\.yaml$/.exec(inFolder) ?? [];
    if (operationId === undefined || name === undefined) {
      problems.push(`${shown}: a case is a file <operationId>/<case>.yaml: rename this file, or move it elsewhere`);
      continue;
    }
    const { content, problem, problems: broken } = readYamlSource(path, shown);
    if (broken.length > 0) problems.push(...broken);
    else if (validate(content)) files.push({ operationId, name, path, content, problem });
    else problems.push(...schemaProblems(validate.errors ?? []).map(({ path: at, text }) => problem(at, text)));
  }
  return { files, problems };
}
