import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ErrorObject } from "ajv";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { valueAt } from "../../src/contract/json-pointer.js";
import type { DaemonCase, DaemonProbes, DaemonRule } from "../../src/contract/rpc/cases.js";
import type { DaemonRpc } from "../../src/contract/rpc/rpcs.js";
import { type Path, type Problem, pathOf, readYamlSource } from "../../src/contract/yaml-source.js";

/** The folder that holds the case files and their schema. */
export const casesFolder = fileURLToPath(new URL("../../proto/cases", import.meta.url));

/** A case file that matches the schema. */
export interface CaseFile {
  /** The RPC that its rules are about. Undefined if they are about several. */
  readonly rpc?: DaemonRpc;
  readonly probes?: readonly (keyof DaemonProbes)[];
  readonly rules: readonly DaemonRule[];
  readonly cases: readonly DaemonCase[];
  /** Creates a problem about the value at a path in this file, such as `["cases", 2, "request"]`. */
  readonly problem: (path: Path, text: string) => Problem;
}

let compiled: ValidateFunction<Omit<CaseFile, "problem">> | undefined;

/** Compiles the schema once, because a process may read several folders. */
function fileValidator(): ValidateFunction<Omit<CaseFile, "problem">> {
  compiled ??= new Ajv2020({ allErrors: true, discriminator: true, strictTypes: false }).compile<
    Omit<CaseFile, "problem">
  >(JSON.parse(readFileSync(join(casesFolder, "cases.schema.json"), "utf8")));
  return compiled;
}

/**
 * Reads `*.yaml` in a folder, ordered by name. Reports files that do not match the schema as problems and omits them.
 */
export function readCaseFiles(folder: string): { files: CaseFile[]; problems: Problem[] } {
  const validate = fileValidator();
  const files: CaseFile[] = [];
  const problems: Problem[] = [];
  for (const name of readdirSync(folder).sort()) {
    if (!name.endsWith(".yaml")) continue;
    const source = readYamlSource(join(folder, name), `proto/cases/${name}`);
    const { content } = source;
    const problem = (path: Path, text: string) => source.problem(path, `${subject(content, path)}${text}`);
    if (source.problems.length > 0) problems.push(...source.problems);
    else if (validate(content)) files.push({ ...content, problem });
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

function sentence({ keyword, params, message = "is wrong" }: ErrorObject): string {
  switch (keyword) {
    case "additionalProperties":
      return `has an unknown key ${String(params.additionalProperty)}`;
    case "oneOf":
      return "needs either a reply or an error; exact and open stand beside a reply only";
    case "enum":
      return `must be one of ${String(params.allowedValues).replaceAll(",", ", ")}`;
    default:
      return message;
  }
}
