import { existsSync, readdirSync, statSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import type { ValidateFunction } from "ajv";
import { findPackageFile, packageFile } from "../../base/package-file.js";
import { compileFileSchema } from "../../schema/compile-file-schema.js";
import type { Conventions } from "../rest/conventions.js";
import { schemaProblems } from "../schema-problems.js";
import { didYouMean, type Path, readYamlSource } from "../yaml-source.js";
import { type Project, type ProjectContract, projectFileName, type RpcProjectContract } from "./project.js";

/** An `accord.yaml` is missing or wrong. The message has a line for each mistake, with file, line and column. */
export class ProjectError extends Error {
  override readonly name = "ProjectError";
}

/** The content of an `accord.yaml` that matches its schema. */
interface ProjectContent {
  readonly contracts: Readonly<Record<string, RestContent | RpcContent>>;
}

type RestContent = Conventions & { readonly openapi: string; readonly exclude?: readonly string[] };
type RpcContent = Omit<RpcProjectContract, "kind" | "name">;

/** Reads an `accord.yaml`. Throws a `ProjectError` that names every mistake. */
export function readProject(file: string): Project {
  const path = resolve(file);
  const name = relative(process.cwd(), path) || path;
  if (!existsSync(path))
    throw new ProjectError(
      `There is no ${name}. Write it with: npx --no-install accord init, or name another with --project.`,
    );
  const { content, problems, placeOf } = readYamlSource(path, name);
  const say = (at: Path, text: string) => `${name}:${placeOf(at)}: ${text}`;
  if (problems.length > 0) throw new ProjectError(problems.join("\n"));
  const found = [...kindProblems(content)];
  const validate = projectValidator();
  if (!validate(content)) {
    const known = new Set(found.map(({ path }) => path.join("/")));
    const others = schemaProblems(validate.errors ?? []).filter((one) => !known.has(one.path.slice(0, 2).join("/")));
    throw new ProjectError([...found, ...others].map((one) => say(one.path, one.text)).join("\n"));
  }
  const folder = dirname(path);
  const contracts = Object.entries(content.contracts);
  found.push(...contracts.flatMap(([contract, given]) => fileProblems(folder, contract, given)));
  found.push(...(path === findPackageFile(projectFileName) ? [] : contracts.flatMap(([one]) => nameProblems(one))));
  if (found.length > 0) throw new ProjectError(found.map((one) => say(one.path, one.text)).join("\n"));
  return { file: path, contracts: contracts.map(([contract, given]) => contractOf(folder, contract, given)) };
}

/**
 * Finds a contract by name: one that this package ships, or else one of `accord.yaml`, given by `project` or in the current folder. Throws a
 * `ProjectError` for an unknown name.
 */
export function findContract(name: string, project?: string): ProjectContract {
  const shipped = shippedContracts();
  const own = shipped.find((contract) => contract.name === name);
  if (own !== undefined && project === undefined) return own;
  const file = project ?? projectFileName;
  const listed = project === undefined && !existsSync(file) ? [] : readProject(file).contracts;
  const found = listed.find((contract) => contract.name === name) ?? own;
  if (found !== undefined) return found;
  const known = [...listed, ...shipped].map((contract) => contract.name);
  const missing =
    listed.length === 0
      ? `. This folder has no ${projectFileName}: name another with --project, or write one with: npx --no-install accord init`
      : "";
  throw new ProjectError(`There is no contract ${name}: ${didYouMean(name, known)}${missing}`);
}

/** The contracts that this package ships. */
export function shippedContracts(): readonly ProjectContract[] {
  return readProject(packageFile(projectFileName)).contracts;
}

/** Whether a contract is one that this package ships, and so compiled already. */
export function isShipped(contract: ProjectContract): boolean {
  return shippedContracts().some((one) => documentOf(one) === documentOf(contract));
}

function documentOf(contract: ProjectContract): string {
  return contract.kind === "rest" ? contract.openapi : contract.proto;
}

interface Mistake {
  readonly path: Path;
  readonly text: string;
}

/** The contracts that are not of exactly one kind. */
function kindProblems(content: unknown): Mistake[] {
  const contracts = Object.entries(Object(Object(content).contracts));
  return contracts.flatMap(([name, given]) => {
    if (typeof given !== "object" || given === null || Array.isArray(given)) return [];
    const [rest, rpc] = ["openapi" in given, "proto" in given];
    const path = ["contracts", name];
    if (rest && rpc)
      return [{ path, text: `contracts.${name} has both \`openapi\` and \`proto\`: list them as two contracts` }];
    if (rest || rpc || Object.keys(given).length > 0) return [];
    const text = `contracts.${name} needs a document: write for example \`openapi: openapi.yaml\`, or \`proto: proto\``;
    return [{ path, text }];
  });
}

let compiled: ValidateFunction<ProjectContent> | undefined;

/** Compiles the schema once. */
function projectValidator(): ValidateFunction<ProjectContent> {
  compiled ??= compileFileSchema<ProjectContent>({
    file: "openapi/accord.schema.json",
    refersTo: { "matcher.schema.json": "openapi/matcher.schema.json" },
  });
  return compiled;
}

/** Whether commands give a name another meaning than a contract of a project. */
export function isReserved(name: string): boolean {
  return shippedContracts().some((contract) => contract.name === name);
}

function nameProblems(name: string): Mistake[] {
  if (!isReserved(name)) return [];
  return [{ path: ["contracts", name], text: `${name} is a contract that Accord ships: choose another name` }];
}

function fileProblems(folder: string, name: string, given: ProjectContent["contracts"][string]): Mistake[] {
  const [key, named] = "proto" in given ? ["proto", given.proto] : ["openapi", given.openapi];
  const say = (text: string) => [{ path: ["contracts", name, key], text: `contracts.${name}.${key} ${text}` }];
  if (/^[a-z]+:\/\//.test(named)) return say(`is a URL: store the document, and name its file`);
  const path = resolve(folder, named);
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined)
    return say(`names ${named}, which does not exist: write a path relative to ${projectFileName}`);
  if (key === "openapi")
    return found.isFile() ? [] : say(`names ${named}, which is a folder: name the root document, such as openapi.yaml`);
  if (found.isFile())
    return /\.(?:proto|binpb)$/.test(path)
      ? []
      : say(`names ${named}: expected a .proto file, a folder of them or a descriptor set (*.binpb)`);
  const hasProto = readdirSync(path, { recursive: true, encoding: "utf8" }).some((one) => one.endsWith(".proto"));
  return hasProto ? [] : say(`names ${named}, which has no .proto file: name the folder that has them`);
}

function contractOf(folder: string, name: string, given: ProjectContent["contracts"][string]): ProjectContract {
  if ("proto" in given) return { ...given, kind: "rpc", name, proto: resolve(folder, given.proto) };
  const { openapi, exclude, ...conventions } = given;
  const excluded = exclude === undefined ? {} : { exclude };
  return { kind: "rest", name, openapi: resolve(folder, openapi), conventions, ...excluded };
}
