import { mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MissingPeerError } from "../base/missing-peer-error.js";
import { runBuf } from "../base/run-buf.js";
import type { ProjectContract } from "../contract/project/project.js";
import { completeOperations } from "../contract/rest/complete-operations.js";
import { formatContract } from "../contract/rest/contract-file.js";
import { readOpenApi } from "../contract/rest/load-openapi.js";
import { withoutRemote } from "../contract/rest/reading/escape-data.js";
import { withExactIntegers } from "../contract/rest/reading/exact-integers.js";
import { upgradeFrom32 } from "../contract/rest/upgrade-from-32.js";
import { upgradeOpenApi } from "../contract/rest/upgrade-openapi.js";
import { readDescriptors } from "../contract/rpc/load-rpc-contract.js";
import { shownPath } from "../contract/shown-path.js";
import { bufInput } from "../lint/rpc/lint-proto.js";
import { visibleText } from "../text/visible-text.js";
import { type Files, readFiles } from "./compare-files.js";
import { fileTypes, openApiTypes } from "./openapi-types.js";
import { restModules } from "./rest-modules.js";
import { contractModule, rpcClientModule, rpcServerModule } from "./rpc-modules.js";
import { typedDocument } from "./typed-document.js";
import { note } from "./write-generated.js";

/**
 * Generates the files of a contract: the document in one file and its TypeScript types, or the messages and services in TypeScript; of both,
 * a typed client and server. Rejects with a `MissingPeerError` if a generator is not installed.
 */
export async function generateContract(contract: ProjectContract): Promise<Files> {
  if (contract.kind === "rpc") return generateMessages(contract.proto);
  const { document: read } = await readOpenApi(contract.openapi);
  const document = completeOperations(upgradeOpenApi(upgradeFrom32(read)));
  const types = await openApiTypes(withoutRemote(typedDocument({ ...document })) as object, await fileTypes());
  const own = restModules({ ...document, "x-accord": contract.conventions });
  return new Map([
    ["openapi.yaml", `# ${note}\n${formatContract(read, "yaml")}`],
    ...[["types.ts", `\n${withExactIntegers(types)}`] as const, ...own].map(
      ([path, code]) => [path, typeScript(code)] as const,
    ),
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
  const input = shownPath(bufInput(proto));
  // The generator repeats names as they are.
  await readDescriptors(input);
  const folder = await mkdtemp(join(tmpdir(), "accord-generate-"));
  try {
    const opt = ["target=ts", "import_extension=js"];
    const plugins = [{ local: "protoc-gen-es", out: folder, strategy: "all", opt }];
    const template = JSON.stringify({ version: "v2", plugins });
    await runBuf(".", "generate", input, "--template", template);
    const files = await readFiles(folder);
    const modules = new Map([...files].sort().map(([path, content]) => [path, content.toString("utf8")]));
    const own = { "contract.ts": contractModule(modules), "client.ts": rpcClientModule, "server.ts": rpcServerModule };
    return new Map([...modules, ...Object.entries(own)].map(([path, code]) => [path, typeScript(code)]));
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** A generated module. A comment could hold characters that hide code, or that end a line for JavaScript alone, such as U+2028. */
function typeScript(code: string): string {
  return `// ${note}\n${visibleText(code)}`;
}
