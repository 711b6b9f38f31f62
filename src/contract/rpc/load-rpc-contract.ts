import { existsSync, statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { createFileRegistry, type DescFile, type FileRegistry, fromBinary } from "@bufbuild/protobuf";
import { BinaryReader } from "@bufbuild/protobuf/wire";
import { type FileDescriptorSet, FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { BufError, runBuf, withoutPackages } from "../../base/run-buf.js";
import { UsageError } from "../../base/usage-error.js";
import { shownPath } from "../shown-path.js";
import { createRpcContract, isNamed, type RpcContract } from "./contract.js";
import { nameProblems } from "./name-problems.js";
import { messagesOf, readRpcCases } from "./read-cases.js";
import { secretTest } from "./secret-fields.js";

/** Where a contract is. */
export interface RpcContractSource {
  /** The name of the contract. */
  readonly name: string;
  /** A `.proto` file, a folder of them, or a descriptor set `*.binpb`. Rules and cases are in the folder `cases` beside the files. */
  readonly proto: string;
  /** Defaults to `unversioned`. */
  readonly version?: string;
  /** Names of RPCs that change nothing, besides those that say so themselves. */
  readonly reads?: readonly string[];
  /** Names of RPCs and checks that no run sends. */
  readonly exclude?: readonly string[];
}

/** The contract has mistakes. The message has a line for each, with file and line. */
export class InvalidContractError extends UsageError {
  override readonly name = "InvalidContractError";
}

/**
 * Loads a contract: compiles its `.proto` files with Buf, or reads a descriptor set, and reads its rules and cases. A field is secret if it
 * has `debug_redact`, or an option of the contract that is named `secret` or `sensitive` and is true. With `isStrict`, its rules and cases
 * must be complete, except for the sources of rules.
 *
 * Rejects with an `InvalidContractError`, and with a `MissingPeerError` if Buf is needed and not installed.
 */
export async function loadRpcContract(
  { name, proto, version = "unversioned", reads = [], exclude }: RpcContractSource,
  { isStrict = false }: { readonly isStrict?: boolean } = {},
): Promise<RpcContract> {
  const set = await readDescriptors(proto);
  const { files, registry } = describeFiles(set, proto);
  const folder = casesFolderOf(resolve(proto));
  const { content, problems } = readRpcCases(folder, messagesOf({ files, registry }), {
    shownAs: shownPath(folder),
    ...(isStrict ? { strict: { sourceProblem: () => undefined } } : {}),
  });
  if (problems.length > 0) throw new InvalidContractError(problems.join("\n"));
  const isSecret = secretTest([...registry.files]);
  const parts = { ...content, name, version, files, schema: shownPath(resolve(proto)), isSecret, reads };
  const checks = join(dirname(folder), "checks");
  const contract = createRpcContract({
    ...parts,
    exclude,
    ...(existsSync(checks) ? { checks: pathToFileURL(`${checks}/`) } : {}),
  });
  const unknown = reads.filter((read) => !contract.methods.some(({ rpc }) => isNamed(rpc, read)));
  if (unknown.length > 0)
    throw new InvalidContractError(unknown.map((read) => `contracts.${name}.reads names no RPC: ${read}`).join("\n"));
  return contract;
}

/** The folder with the cases of a contract. */
export function casesFolderOf(proto: string): string {
  return join(isFile(proto) ? dirname(proto) : proto, "cases");
}

/** Compiles the files of a folder, or reads a descriptor set. Rejects with an `InvalidContractError` or a `MissingPeerError`. */
export async function readDescriptors(proto: string): Promise<FileDescriptorSet> {
  if (!existsSync(proto))
    throw new InvalidContractError(`There is no ${proto}: name a .proto file, a folder of them, or a .binpb file`);
  try {
    const bytes = isDescriptorSet(proto) ? await readFile(proto) : await buildImage(resolve(proto));
    const set = fromBinary(FileDescriptorSetSchema, bytes);
    const [problem] = nameProblems(set);
    if (problem !== undefined) throw new InvalidContractError(`${proto} is invalid: ${problem}`);
    return set;
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const reason = error instanceof BufError ? error.output.trimEnd() : String(error);
    throw new InvalidContractError(`${proto} is invalid:\n${reason}`);
  }
}

/** The files of a descriptor set that belong to the contract, and all types. */
export function describeFiles(
  set: FileDescriptorSet,
  proto: string,
): { readonly files: readonly DescFile[]; readonly registry: FileRegistry } {
  let registry: FileRegistry;
  try {
    registry = createFileRegistry(set);
  } catch (error) {
    throw new InvalidContractError(
      `${proto} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  const imported = new Set(set.file.filter(isImport).map((file) => file.name));
  const files = [...registry.files].filter((file) => !imported.has(file.proto.name));
  if (!files.some(({ services }) => services.length > 0))
    throw new InvalidContractError(`${proto} has no service: add one with a unary RPC, or name the folder that has it`);
  return { files, registry };
}

function buildImage(proto: string): Promise<Buffer> {
  const output = ["--output", "-#format=binpb"];
  return isFile(proto)
    ? runBuf(dirname(proto), "build", basename(proto), ...output)
    : runBuf(proto, "build", ...withoutPackages(proto), ...output);
}

function isFile(proto: string): boolean {
  return proto.endsWith(".binpb") || (existsSync(proto) && statSync(proto).isFile());
}

function isDescriptorSet(proto: string): boolean {
  return isFile(proto) && !proto.endsWith(".proto");
}

/** The field of `buf.alpha.image.v1.ImageFile` that says how Buf got a file, and in it the field that says that it was only imported. */
const imageExtension = 8042;
const isImportField = 1;

/** Whether a file is not of the contract: one that Buf marks as imported, or one of Protobuf's own. */
function isImport({ name, $unknown: unknown = [] }: FileDescriptorSet["file"][number]): boolean {
  const marks = unknown.filter(({ no }) => no === imageExtension);
  return name.startsWith("google/protobuf/") || marks.some(({ data }) => readsImport(data));
}

function readsImport(data: Uint8Array): boolean {
  const reader = new BinaryReader(data);
  const end = reader.uint32() + reader.pos;
  while (reader.pos < end) {
    const [no, wireType] = reader.tag();
    if (no === isImportField) return reader.bool();
    reader.skip(wireType);
  }
  return false;
}
