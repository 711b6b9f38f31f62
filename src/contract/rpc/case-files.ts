import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { ErrorObject, ValidateFunction } from "ajv";
import { compileFileSchema } from "../../schema/compile-file-schema.js";
import { describeProblem } from "../../schema/describe-error.js";
import { valueAt } from "../json-pointer.js";
import { type Path, type Problem, pathOf, readYamlSource } from "../yaml-source.js";
import type { RpcCase, RpcProbes, RpcRule } from "./cases.js";

/** A rule or case as it is written, with what may be omitted. */
export type WrittenCase = Omit<RpcCase, "rule" | "summary" | "request"> &
  Partial<Pick<RpcCase, "rule" | "summary" | "request">>;

/** The content of a case file. */
interface FileContent {
  /** The RPC that its rules are about. Undefined if they are about several. */
  readonly rpc?: string;
  readonly probes?: readonly (keyof RpcProbes)[];
  readonly rules?: readonly RpcRule[];
  readonly cases?: readonly WrittenCase[];
}

/** A case file that matches the schema. */
export interface CaseFile extends Omit<FileContent, "rules" | "cases"> {
  readonly rules: readonly RpcRule[];
  readonly cases: readonly WrittenCase[];
  /** Creates a problem about the value at a path in this file, such as `["cases", 2, "request"]`. */
  readonly problem: (path: Path, text: string) => Problem;
}

let compiled: ValidateFunction<FileContent> | undefined;

/** Compiles the schema once, because a process may read several folders. */
function fileValidator(): ValidateFunction<FileContent> {
  compiled ??= compileFileSchema<FileContent>({
    file: "proto/cases/cases.schema.json",
    refersTo: { "../../openapi/matcher.schema.json": "openapi/matcher.schema.json" },
  });
  return compiled;
}

/**
 * Reads `*.yaml` in a folder, ordered by name; none if the folder is missing. Reports files that do not match the schema as problems and
 * omits them. `shownAs` is the path of the folder in problems.
 */
export function readCaseFiles(folder: string, shownAs: string): { files: CaseFile[]; problems: Problem[] } {
  const files: CaseFile[] = [];
  const problems: Problem[] = [];
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".yaml")) : [];
  for (const name of names.sort()) {
    const validate = fileValidator();
    const source = readYamlSource(join(folder, name), `${shownAs}/${name}`);
    const { content } = source;
    const problem = (path: Path, text: string) => source.problem(path, `${subject(content, path)}${text}`);
    if (source.problems.length > 0) problems.push(...source.problems);
    else if (validate(content)) files.push({ rules: [], cases: [], ...content, problem });
    else problems.push(...explain(validate.errors ?? []).map(({ path, text }) => problem(path, text)));
  }
  return { files, problems };
}
/** Names the case or rule that contains the path. */

function subject(content: unknown, [list, index]: Path): string {
  if (index === undefined) return "";
  const key = list === "cases" ? "name" : "id";
  const name = valueAt(content, `/${list}/${index}/${key}`);
  return `${list === "cases" ? "case" : "rule"} ${typeof name === "string" ? name : `number ${Number(index) + 1}`}: `;
}

function explain(errors: readonly ErrorObject[]): { path: (string | number)[]; text: string }[] {
  // Omit the errors of each branch of "reply or error": the error of the union itself is clearer.
  const telling = errors.filter(
    ({ schemaPath }) => !schemaPath.includes("/case/oneOf/") && !schemaPath.includes("/items/oneOf/"),
  );
  return telling.map((error) => {
    const path = pathOf(error);
    const place = path.slice(2).join(".");
    return { path, text: `${place === "" ? "" : `${place} `}${sentence(error)}` };
  });
}

function sentence(error: ErrorObject): string {
  switch (error.keyword) {
    case "additionalProperties":
      return `has an unknown key ${String(error.params.additionalProperty)}`;
    case "oneOf":
      return "needs either a reply or an error; exact and expect stand beside a reply only";
    default:
      return describeProblem(error);
  }
}
