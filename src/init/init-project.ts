import { dirname, join, parse, relative, resolve } from "node:path";
import { UsageError } from "../base/usage-error.js";
import { isTaken, requireNoLink, writeOwn } from "../base/write-own.js";
import type { ProjectContract } from "../contract/project/project.js";
import { projectFileName } from "../contract/project/project.js";
import { isReserved } from "../contract/project/read-project.js";
import { loadOpenApi } from "../contract/rest/load-openapi.js";
import { listOperations } from "../contract/rest/operations.js";
import { rulesFileName } from "../contract/rest/rules-file.js";
import { casesFolderOf } from "../contract/rpc/load-rpc-contract.js";
import { shownPath } from "../contract/shown-path.js";
import type { LintFinding } from "../lint/finding.js";
import { hasErrors, lintContract } from "../lint/lint-contract.js";
import { listRpcs, readImage } from "../lint/rpc/image.js";
import { bufInput } from "../lint/rpc/lint-proto.js";
import { findDocument } from "./find-document.js";
import { casesStub, projectStub, rulesStub } from "./stub-files.js";

/** What `init` found and did. */
export interface InitResult {
  readonly name: string;
  readonly kind: ProjectContract["kind"];
  /** The paths of the new files. Empty if the document cannot be read. */
  readonly written: readonly string[];
  /** Files that were there, and so were kept. */
  readonly kept: readonly string[];
  /** The number of operations or RPCs. */
  readonly operations: number;
  readonly findings: readonly LintFinding[];
}

/**
 * Makes a folder a project with the contract in a document, which is searched for without `path`. Overwrites no file, and writes none if the
 * document cannot be read. Throws a `UsageError` if the folder is a project already.
 */
export async function initProject(path = "."): Promise<InitResult> {
  if (isTaken(projectFileName))
    throw new UsageError(`${projectFileName} is there already: add the contract to it, or remove it first.`);
  const { kind, path: document } = findDocument(path);
  const file = resolve(document);
  return kind === "openapi" ? initRest(file) : initRpc(file);
}

async function initRest(file: string): Promise<InitResult> {
  const draft = { kind: "rest", name: "contract", openapi: file, conventions: {} } as const;
  const findings = await lintContract(draft, { tier: "minimal", runsCode: false });
  // Whatever can be used of a document is worth a contract.
  const document = await loadOpenApi(file).catch((error: unknown) => {
    if (!(error instanceof UsageError) || !hasErrors(findings)) throw error;
    return undefined;
  });
  if (document === undefined) return { ...nothing(draft), findings };
  const name = firstName(document.info.title, parse(file).name);
  const files = [
    [projectFileName, projectStub(name, "openapi", pathInProject(file))],
    [join(dirname(file), rulesFileName), rulesStub(name, document)],
  ] as const;
  return { name, kind: "rest", operations: listOperations(document).length, findings, ...writeNew(files) };
}

async function initRpc(proto: string): Promise<InitResult> {
  const draft = { kind: "rpc", name: "contract", proto } as const;
  const findings = await lintContract(draft, { tier: "minimal", runsCode: false });
  if (hasErrors(findings)) return { ...nothing(draft), findings };
  const { packages, rpcs } = listRpcs(await readImage(shownPath(bufInput(proto))), proto);
  const named = packages.map((one) => one.split(".").filter((part) => !/^v\d/.test(part)));
  const shared = named[0]?.filter((part, at) => named.every((other) => other[at] === part)).at(-1);
  const name = firstName(shared ?? "", ...named.map((parts) => parts.at(-1) ?? ""), parse(proto).name);
  const files: (readonly [string, string])[] = [[projectFileName, projectStub(name, "proto", pathInProject(proto))]];
  if (!proto.endsWith(".binpb")) files.push([join(casesFolderOf(proto), `${name}.yaml`), casesStub(name, rpcs)]);
  return { name, kind: "rpc", operations: rpcs.length, findings, ...writeNew(files) };
}

function nothing({ name, kind }: Pick<ProjectContract, "name" | "kind">) {
  return { name, kind, written: [], kept: [], operations: 0 };
}

function writeNew(files: readonly (readonly [path: string, text: string])[]): Pick<InitResult, "written" | "kept"> {
  const kept = files.filter(([path]) => isTaken(path));
  const written = files.filter(([path]) => !isTaken(path));
  for (const [path] of written) requireNoLink(process.cwd(), resolve(path));
  for (const [path, text] of written) writeOwn(process.cwd(), resolve(path), text);
  return { written: written.map(([path]) => shownPath(resolve(path))), kept: kept.map(([path]) => shownPath(path)) };
}

function pathInProject(file: string): string {
  const path = relative(process.cwd(), file).replaceAll("\\", "/") || ".";
  return /^[\w./-]+$/.test(path) ? path : JSON.stringify(path);
}

/** The first text that gives a name in kebab-case, or else `api`. */
function firstName(...texts: readonly string[]): string {
  for (const text of texts) {
    const name = nameOf(text);
    if (name !== "") return isReserved(name) ? `${name}-api` : name;
  }
  return "api";
}

function nameOf(text: string): string {
  const words =
    text
      .normalize("NFKD")
      .replace(/\p{M}/gu, "")
      .toLowerCase()
      .replaceAll("'s ", " ")
      .match(/[a-z0-9]+/g) ?? [];
  const isWord = (word: string) =>
    !/^(?:api|openapi|swagger|rest|proto|protos|the|official|documentation|docs|spec|specification|v?\d.*)$/.test(word);
  return words.filter(isWord).slice(0, 3).join("-");
}
