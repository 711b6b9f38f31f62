import {
  createRegistry,
  type DescExtension,
  type DescField,
  type DescFile,
  getOption,
  ScalarType,
} from "@bufbuild/protobuf";
import { withImports } from "./descriptor-set.js";

/**
 * Returns a test for secret fields: those with `debug_redact`, or with an option of the files or their imports that is named `secret` or
 * `sensitive` and is true.
 */
export function secretTest(files: readonly DescFile[]): (field: DescField) => boolean {
  const options = [...createRegistry(...withImports(files))].filter(
    (type): type is DescExtension =>
      type.kind === "extension" &&
      type.extendee.typeName === "google.protobuf.FieldOptions" &&
      (type.name === "secret" || type.name === "sensitive") &&
      type.scalar === ScalarType.BOOL,
  );
  return (field) => field.proto.options?.debugRedact === true || options.some((one) => isMarked(field, one));
}

function isMarked(field: DescField, option: DescExtension): boolean {
  return getOption(field, option as DescExtension & Parameters<typeof getOption<DescExtension, DescField>>[1]) === true;
}
