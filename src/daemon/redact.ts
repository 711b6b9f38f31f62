import {
  clone,
  type DescField,
  type DescMessage,
  type JsonValue,
  type MessageShape,
  ScalarType,
  toJson,
} from "@bufbuild/protobuf";
import { isReflectMessage, type ReflectMessage, reflect } from "@bufbuild/protobuf/reflect";
import { AnySchema } from "@bufbuild/protobuf/wkt";
import { redacted } from "../secrets/redact-url.js";
import { isSecretField } from "./is-secret-field.js";

/**
 * Copies a message without the values of its secret fields, at every depth, so that it is safe to log. A field is secret if it has the
 * option `proxydaemon.v1.secret` or `debug_redact`.
 *
 * Replaces strings with `[redacted]` and removes other values. Also removes everything that the contract does not define, which may be
 * secret: unknown fields, extensions, and the content of `google.protobuf.Any`.
 */
export function redact<Desc extends DescMessage>(schema: Desc, message: MessageShape<Desc>): MessageShape<Desc> {
  const copy = clone(schema, message);
  redactInPlace(reflect(schema, copy));
  return copy;
}

/** The redacted message as ProtoJSON, for logs. */
export function redactedJson<Desc extends DescMessage>(schema: Desc, message: MessageShape<Desc>): JsonValue {
  return toJson<DescMessage>(schema, redact(schema, message));
}

function redactInPlace(message: ReflectMessage): void {
  message.setUnknown([]);
  for (const field of message.fields) {
    if (!message.isSet(field)) continue;
    if (message.desc.typeName === AnySchema.typeName) message.clear(field);
    else if (isSecretField(field)) hide(message, field);
    else redactInside(message, field);
  }
}

function hide(message: ReflectMessage, field: DescField): void {
  if (field.fieldKind === "scalar" && field.scalar === ScalarType.STRING) message.set(field, redacted);
  else message.clear(field);
}

/** Sets values again after redaction, because reflection copies some types, such as Struct. */
function redactInside(message: ReflectMessage, field: DescField): void {
  switch (field.fieldKind) {
    case "message": {
      const value = message.get(field);
      redactInPlace(value);
      message.set(field, value);
      break;
    }
    case "list": {
      const list = message.get(field);
      for (const [index, item] of list.entries()) {
        if (!isReflectMessage(item)) break;
        redactInPlace(item);
        list.set(index, item);
      }
      break;
    }
    case "map": {
      const map = message.get(field);
      for (const [key, value] of map.entries()) {
        if (!isReflectMessage(value)) break;
        redactInPlace(value);
        map.set(key, value);
      }
      break;
    }
  }
}
