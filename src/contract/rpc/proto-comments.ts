import type { AnyDesc, DescEnum, DescFile, DescMessage } from "@bufbuild/protobuf";

/** Reads the comments before the declarations of files, as far as their descriptors have them. */
export function readComments(files: readonly DescFile[]): (declared: AnyDesc) => string | undefined {
  const comments = new Map<AnyDesc, string>();
  for (const file of files) {
    const found = new Map(
      (file.proto.sourceCodeInfo?.location ?? []).map(({ path, leadingComments }) => [path.join(), leadingComments]),
    );
    const add = (declared: AnyDesc, path: readonly number[]) => {
      const comment = found.get(path.join())?.trim();
      if (comment) comments.set(declared, comment);
    };
    // The numbers of fields of `descriptor.proto`: files have messages as 4, enumerations as 5, services as 6.
    const addEnum = (one: DescEnum, path: readonly number[]) => {
      add(one, path);
      for (const [i, value] of one.values.entries()) add(value, [...path, 2, i]);
    };
    const addMessage = (message: DescMessage, path: readonly number[]) => {
      add(message, path);
      for (const [i, field] of message.fields.entries()) add(field, [...path, 2, i]);
      for (const [i, nested] of message.nestedMessages.entries()) addMessage(nested, [...path, 3, i]);
      for (const [i, nested] of message.nestedEnums.entries()) addEnum(nested, [...path, 4, i]);
    };
    for (const [i, message] of file.messages.entries()) addMessage(message, [4, i]);
    for (const [i, one] of file.enums.entries()) addEnum(one, [5, i]);
    for (const [i, service] of file.services.entries()) {
      add(service, [6, i]);
      for (const [k, method] of service.methods.entries()) add(method, [6, i, 2, k]);
    }
  }
  return (declared) => comments.get(declared);
}
