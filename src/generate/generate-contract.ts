import { mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MissingPeerError } from "../base/missing-peer-error.js";
import { runBuf } from "../base/run-buf.js";
import type { ProjectContract } from "../contract/project/project.js";
import { formatContract } from "../contract/rest/contract-file.js";
import { readOpenApi } from "../contract/rest/load-openapi.js";
import { shownPath } from "../contract/shown-path.js";
import { bufInput } from "../lint/rpc/lint-proto.js";
import { type Files, readFiles } from "./compare-files.js";
import { openApiTypes } from "./openapi-types.js";

const note = "Written by `accord generate`. Not to be edited.";

/**
 * Generates the files of a contract: the document in one file and its TypeScript types, or the messages and services in TypeScript. Rejects
 * with a `MissingPeerError` if a generator is not installed.
 */
export async function generateContract(contract: ProjectContract): Promise<Files> {
  if (contract.kind === "rpc") return generateMessages(contract.proto);
  const { document } = await readOpenApi(contract.openapi);
  return new Map([
    ["openapi.yaml", `# ${note}\n${formatContract(document, "yaml")}`],
    ["types.ts", `// ${note}\n\n${await openApiTypes(document)}`],
  ]);
}

async function generateMessages(proto: string): Promise<Files> {
  try {
    createRequire(import.meta.url).resolve("@bufbuild/protoc-gen-es/package.json");
  } catch {
    throw new MissingPeerError(
      "The generation of TypeScript from Protobuf",
      "@bufbuild/protoc-gen-es",
      "@bufbuild/buf",
    );
  }
  const folder = await mkdtemp(join(tmpdir(), "accord-generate-"));
  try {
    const opt = ["target=ts", "import_extension=js"];
    const plugins = [{ local: "protoc-gen-es", out: folder, strategy: "all", opt }];
    const template = JSON.stringify({ version: "v2", plugins });
    await runBuf(".", "generate", shownPath(bufInput(proto)), "--template", template);
    return await readFiles(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}
