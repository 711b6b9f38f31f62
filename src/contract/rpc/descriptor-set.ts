import { create, type DescFile, type JsonValue, type Registry, toBinary, toJson } from "@bufbuild/protobuf";
import { type FileDescriptorSet, FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";

/** The files of a contract. */
interface DescribedFiles {
  readonly files: readonly DescFile[];
}

/** The descriptors of a contract, each file after the files that it imports, without comments. */
export function descriptorSet({ files }: DescribedFiles): FileDescriptorSet {
  return create(FileDescriptorSetSchema, { file: withImports(files).map(({ proto }) => proto) });
}

/** The descriptor set in the binary format, as `protoc --descriptor_set_out` writes it. */
export function descriptorSetBytes(contract: DescribedFiles): Uint8Array {
  return toBinary(FileDescriptorSetSchema, descriptorSet(contract));
}

/** The descriptor set as ProtoJSON, with the options of the contract by name. */
export function descriptorSetJson(contract: DescribedFiles & { readonly registry: Registry }): JsonValue {
  return toJson(FileDescriptorSetSchema, descriptorSet(contract), { registry: contract.registry });
}

/** The files and their transitive imports, each once and after its imports. */
export function withImports(files: readonly DescFile[]): DescFile[] {
  const found = new Set<DescFile>();
  const add = (file: DescFile) => {
    if (found.has(file)) return;
    file.dependencies.forEach(add);
    found.add(file);
  };
  files.forEach(add);
  return [...found];
}
