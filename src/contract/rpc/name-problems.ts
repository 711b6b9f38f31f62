import type { DescriptorProto, FieldDescriptorProto, FileDescriptorSet } from "@bufbuild/protobuf/wkt";

/** Source: Protocol Buffers Language Specification, "Lexical elements". */
const identifier = /^[A-Za-z_][A-Za-z0-9_]*$/;
/** A name with its package, with or without a leading dot. */
const fullName = /^\.?[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*$/;
/** Matches what would end a comment or a string of generated code, which quotes the names of files. */
const unsafe = /[\p{C}\p{Zl}\p{Zp}"'`\\*]|(?:^|\/)\.\.(?:\/|$)|^\//u;

/**
 * Finds the names of descriptors that Protobuf does not have, one in a sentence. A compiler gives none of them, but anybody can write a
 * descriptor set, and generated code repeats its names.
 */
export function nameProblems({ file: files }: FileDescriptorSet): string[] {
  return files.flatMap((file) => {
    const fields = [...file.extension, ...file.messageType.flatMap(fieldsOf)];
    const messages = file.messageType.flatMap(withNested);
    const enums = [...file.enumType, ...messages.flatMap(({ enumType }) => enumType)];
    const methods = file.service.flatMap(({ method }) => method);
    return [
      ...[file.name, ...file.dependency].filter((name) => unsafe.test(name)).map((name) => problem("file", name)),
      ...wrong("package", fullName, [file.package]),
      ...wrong("syntax", identifier, [file.syntax]),
      ...wrong(
        "message",
        identifier,
        messages.map(({ name }) => name),
      ),
      ...wrong(
        "oneof",
        identifier,
        messages.flatMap(({ oneofDecl }) => oneofDecl.map(({ name }) => name)),
      ),
      ...wrong(
        "field",
        identifier,
        fields.map(({ name }) => name),
      ),
      ...wrong(
        "type",
        fullName,
        fields.flatMap(({ typeName, extendee }) => [typeName, extendee]),
      ),
      ...wrong(
        "enum",
        identifier,
        enums.map(({ name }) => name),
      ),
      ...wrong(
        "enum value",
        identifier,
        enums.flatMap(({ value }) => value.map(({ name }) => name)),
      ),
      ...wrong(
        "service",
        identifier,
        file.service.map(({ name }) => name),
      ),
      ...wrong(
        "RPC",
        identifier,
        methods.map(({ name }) => name),
      ),
      ...wrong(
        "type",
        fullName,
        methods.flatMap(({ inputType, outputType }) => [inputType, outputType]),
      ),
    ];
  });
}

function withNested(message: DescriptorProto): DescriptorProto[] {
  return [message, ...message.nestedType.flatMap(withNested)];
}

function fieldsOf(message: DescriptorProto): FieldDescriptorProto[] {
  return withNested(message).flatMap(({ field, extension }) => [...field, ...extension]);
}

/** An unset name is empty. */
function wrong(kind: string, grammar: RegExp, names: readonly string[]): string[] {
  return names.filter((name) => name !== "" && !grammar.test(name)).map((name) => problem(kind, name));
}

function problem(kind: string, name: string): string {
  return `${JSON.stringify(name.slice(0, 100))} is no name of a ${kind}`;
}
