import { existsSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { ValidateFunction } from "ajv";
import { schemaProblems } from "../contract/schema-problems.js";
import { shownPath } from "../contract/shown-path.js";
import { type Path, type Problem, readYamlSource } from "../contract/yaml-source.js";
import { compileFileSchema } from "../schema/compile-file-schema.js";
import type { Component, WorkflowSource } from "./workflow-source.js";

/** A workflow file that matches the schema. */
export interface WorkflowFile {
  /** The path that problems name. */
  readonly name: string;
  /** The resource: the name of the folder, or that of the file if it is directly in `behaviour/`. */
  readonly resource: string;
  readonly workflows: Readonly<Record<string, WorkflowSource>>;
  readonly lineOf: (path: Path) => number;
  readonly problem: (path: Path, text: string) => Problem;
}

/** The content of a folder of workflows. */
export interface WorkflowFiles {
  readonly files: readonly WorkflowFile[];
  readonly components: Readonly<Record<string, Component>>;
  /** Empty if every file matches the schema. */
  readonly problems: readonly Problem[];
}

/**
 * Reads `components.yaml`, `<resource>.yaml` and `<resource>/<subject>.yaml` in a folder, ordered by name. A folder that does not exist has
 * none. Problems name the folder as `shown`.
 */
export function readWorkflowFiles(folder: string, shown: string = shownPath(folder)): WorkflowFiles {
  if (!existsSync(folder)) return { files: [], components: {}, problems: [] };
  const { fileSchema, componentsSchema } = compileSchemas();
  const problems: Problem[] = [];
  function read<T>(path: string, validate: ValidateFunction<T>) {
    const name = `${shown}/${path}`;
    const source = readYamlSource(join(folder, path), name);
    problems.push(...source.problems);
    if (source.problems.length > 0) return undefined;
    if (validate(source.content)) return { ...source, name, content: source.content };
    problems.push(...schemaProblems(validate.errors ?? []).map(({ path: at, text }) => source.problem(at, text)));
    return undefined;
  }
  const hasComponents = existsSync(join(folder, "components.yaml"));
  const components = (hasComponents ? read("components.yaml", componentsSchema)?.content : undefined) ?? {};
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => path.endsWith(".yaml") && path !== "components.yaml")
    .sort();
  const files = paths.flatMap((path) => {
    const source = read(path, fileSchema);
    const resource = path.includes("/") ? dirname(path) : basename(path, ".yaml");
    return source === undefined ? [] : [{ ...source, resource, workflows: source.content }];
  });
  return { files, components, problems };
}

function compileSchemas() {
  const refersTo = {
    "../matcher.schema.json": "openapi/matcher.schema.json",
    "workflows.schema.json": "openapi/behaviour/workflows.schema.json",
  };
  const compile = <Content>(name: string) =>
    compileFileSchema<Content>({ file: `openapi/behaviour/${name}.schema.json`, refersTo });
  return {
    fileSchema: compile<Record<string, WorkflowSource>>("workflows"),
    componentsSchema: compile<Record<string, Component>>("components"),
  };
}
