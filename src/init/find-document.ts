import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { UsageError } from "../base/usage-error.js";
import { findVersion } from "../contract/rest/document-version.js";

/** Where the document of a new contract is. */
export interface FoundDocument {
  readonly kind: "openapi" | "proto";
  readonly path: string;
}

/** Folders in which teams keep what describes their API. */
const usualFolders = [".", "api", "docs", "openapi", "proto", "protos", "spec", "specs"];

/** Finds the document that a path names: itself, or the only one in a folder. Throws a `UsageError` that says what to name instead. */
export function findDocument(path: string): FoundDocument {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined)
    throw new UsageError(`There is no ${path}: name an OpenAPI document or a folder of .proto files.`);
  if (found.isFile()) return { kind: /\.(?:proto|binpb)$/.test(path) ? "proto" : "openapi", path };
  const documents = usualFolders.flatMap((folder) => openApiIn(join(path, folder)));
  const [document] = documents;
  if (document !== undefined && documents.length === 1) return { kind: "openapi", path: document };
  if (documents.length > 1) throw new UsageError(`There are several documents. Name one of ${documents.join(", ")}.`);
  const folders = usualFolders.map((folder) => join(path, folder)).filter(hasProto);
  const folder = folders.find((one) => one !== path && one !== ".") ?? folders[0];
  if (folder !== undefined) return { kind: "proto", path: folder };
  throw new UsageError(
    `Found neither an OpenAPI document nor .proto files in ${path === "." ? "this folder" : path}. Name one: npx --no-install accord init openapi.yaml`,
  );
}

function openApiIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => /\.(?:ya?ml|json)$/.test(name) && !/^package(?:-lock)?\.json$/.test(name))
    .map((name) => join(folder, name))
    .filter((file) => statSync(file).isFile() && findVersion(readFileSync(file, "utf8")) !== undefined);
}

function hasProto(folder: string): boolean {
  if (!existsSync(folder)) return false;
  const isSource = (name: string) => name.endsWith(".proto") && !name.includes("node_modules");
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).some(isSource);
}
