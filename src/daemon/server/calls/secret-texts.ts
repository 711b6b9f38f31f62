import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import { isReflectMessage, type ReflectMessage, reflect } from "@bufbuild/protobuf/reflect";

/** The texts in a message that must not be shown: those in fields with the option `debug_redact`, at every depth. */
export function secretTexts<Desc extends DescMessage>(schema: Desc, message: MessageShape<Desc>): string[] {
  return textsIn(reflect(schema, message), false);
}

function textsIn(message: ReflectMessage, secret: boolean): string[] {
  return message.fields.flatMap((field) => {
    const isSecret = secret || field.proto.options?.debugRedact === true;
    return valuesOf(message, field).flatMap((value) => {
      if (isReflectMessage(value)) return textsIn(value, isSecret);
      return isSecret && typeof value === "string" && value !== "" ? [value] : [];
    });
  });
}

function valuesOf(message: ReflectMessage, field: ReflectMessage["fields"][number]): unknown[] {
  if (!message.isSet(field)) return [];
  switch (field.fieldKind) {
    case "list":
      return [...message.get(field)];
    case "map":
      return [...message.get(field)].flat();
    default:
      return [message.get(field)];
  }
}
