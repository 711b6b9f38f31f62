import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ErrorObject } from "ajv";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { didYouMean, type Path, type Problem, pathOf, readYamlSource } from "../../yaml-source.js";
import type { Component, WorkflowSource } from "./workflow-source.js";

/** The folder that holds the workflows and their JSON Schema. */
export const behaviourFolder = fileURLToPath(new URL("../../../openapi/behaviour", import.meta.url));

/** A file of workflows that fits the schema. */
export interface WorkflowFile {
  /** Where it is, relative to the root of the project. */
  readonly name: string;
  /** What its workflows are about: the name of its folder, or its own if it lies in `behaviour/` itself. */
  readonly resource: string;
  readonly workflows: Readonly<Record<string, WorkflowSource>>;
  readonly lineOf: (path: Path) => number;
  readonly problem: (path: Path, text: string) => Problem;
}

/** All that is written in `openapi/behaviour`. */
export interface WorkflowFiles {
  readonly files: readonly WorkflowFile[];
  readonly components: Readonly<Record<string, Component>>;
  /** Empty if every file fits the schema. */
  readonly problems: readonly Problem[];
}

/** Reads `components.yaml`, `<resource>.yaml` and `<resource>/<subject>.yaml` in a folder, in the order of their names. */
export function readWorkflowFiles(folder: string = behaviourFolder): WorkflowFiles {
  const { fileSchema, componentsSchema } = compileSchemas();
  const problems: Problem[] = [];
  function read<T>(path: string, validate: ValidateFunction<T>) {
    const name = `openapi/behaviour/${path}`;
    const source = readYamlSource(join(folder, path), name);
    problems.push(...source.problems);
    if (source.problems.length > 0) return undefined;
    if (validate(source.content)) return { ...source, name, content: source.content };
    problems.push(...explain(validate.errors ?? []).map(({ path: at, text }) => source.problem(at, text)));
    return undefined;
  }
  const components = read("components.yaml", componentsSchema)?.content ?? {};
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
  const ajv = new Ajv2020({ allErrors: true, verbose: true, strictTypes: false });
  const read = (name: string) => JSON.parse(readFileSync(join(behaviourFolder, `${name}.schema.json`), "utf8"));
  return {
    fileSchema: ajv.compile<Record<string, WorkflowSource>>(read("workflows")),
    componentsSchema: ajv.compile<Record<string, Component>>(read("components")),
  };
}

function explain(errors: readonly ErrorObject[]): { path: Path; text: string }[] {
  return errors
    .filter(({ keyword }) => keyword !== "if" && keyword !== "propertyNames")
    .map((error) => {
      const path = pathOf(error);
      const place = path.map(String).join(".");
      return { path: [...path, ...keyOf(error)], text: `${place === "" ? "the file" : place} ${sentence(error)}` };
    });
}

/** The key that an error is about, if it is about one. */
function keyOf({ keyword, params }: ErrorObject): string[] {
  return keyword === "additionalProperties" ? [String(params.additionalProperty)] : [];
}

function sentence({ keyword, params, message = "is wrong", parentSchema, propertyName, data }: ErrorObject): string {
  if (propertyName !== undefined) {
    return `names \`${propertyName}\`, which is not in kebab-case: use small letters, digits and hyphens`;
  }
  switch (keyword) {
    case "additionalProperties": {
      const unknown = String(params.additionalProperty);
      return `has an unknown key \`${unknown}\`: ${didYouMean(unknown, Object.keys(parentSchema?.properties ?? {}))}`;
    }
    case "required":
      return `needs the key \`${params.missingProperty}\``;
    case "enum":
      return `must be one of ${String(params.allowedValues).replaceAll(",", ", ")}`;
    case "pattern":
      return `is ${JSON.stringify(data)}, which does not match ${params.pattern}`;
    default:
      return message;
  }
}
