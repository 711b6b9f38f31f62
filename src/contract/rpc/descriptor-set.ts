import { create, createRegistry, type DescFile, type JsonValue, toBinary, toJson } from "@bufbuild/protobuf";
import { type FileDescriptorSet, FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import * as contract from "../../../generated/daemon/contract.js";

/** The descriptors of the contract, each file after the files that it imports, without comments. */
export function descriptorSet(): FileDescriptorSet {
  const files = new Set<DescFile>();
  const add = (file: DescFile) => {
    file.dependencies.forEach(add);
    files.add(file);
  };
  contractFiles().forEach(add);
  return create(FileDescriptorSetSchema, { file: [...files].map(({ proto }) => proto) });
}

/** The descriptor set in the binary format, as `protoc --descriptor_set_out` writes it. */
export function descriptorSetBytes(): Uint8Array {
  return toBinary(FileDescriptorSetSchema, descriptorSet());
}

/** The descriptor set as ProtoJSON, with the options of the contract by name. */
export function descriptorSetJson(): JsonValue {
  return toJson(FileDescriptorSetSchema, descriptorSet(), { registry: createRegistry(...contractFiles()) });
}

/** The paths of the contract's files below `proto/`. */
export function protoPaths(): string[] {
  return contractFiles().map(({ proto }) => proto.name);
}

/** The files of the contract. */
export function contractFiles(): DescFile[] {
  return Object.values(contract).filter((value): value is DescFile => "kind" in value && value.kind === "file");
}
