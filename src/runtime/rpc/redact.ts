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
import { secretTest } from "../../contract/rpc/secret-fields.js";
import { redacted } from "../../secrets/redact-url.js";
import type { Services } from "./services.js";

/** Copies messages for logs. */
export interface Redaction {
  /**
   * Copies a message without the values of its secret fields, at every depth, so that it is safe to log. A field is secret if it has
   * `debug_redact`, or an option of the contract that is named `secret` or `sensitive` and is true.
   *
   * Replaces strings with `[redacted]` and removes other values. Also removes everything that the contract does not define, which may be
   * secret: unknown fields, extensions, and the content of `google.protobuf.Any`.
   */
  readonly redact: <Desc extends DescMessage>(schema: Desc, message: MessageShape<Desc>) => MessageShape<Desc>;
  /** The redacted message as ProtoJSON. */
  readonly redactedJson: <Desc extends DescMessage>(schema: Desc, message: MessageShape<Desc>) => JsonValue;
}

/** Creates the redaction of the messages of services. */
export function createRedaction(services: Services): Redaction {
  const isSecret = secretTest(Object.values(services).map(({ file }) => file));
  const redact: Redaction["redact"] = (schema, message) => {
    const copy = clone(schema, message);
    redactInPlace(reflect(schema, copy), isSecret);
    return copy;
  };
  return { redact, redactedJson: (schema, message) => toJson<DescMessage>(schema, redact(schema, message)) };
}

type IsSecret = (field: DescField) => boolean;

function redactInPlace(message: ReflectMessage, isSecret: IsSecret): void {
  message.setUnknown([]);
  for (const field of message.fields) {
    if (!message.isSet(field)) continue;
    if (message.desc.typeName === AnySchema.typeName) message.clear(field);
    else if (isSecret(field)) hide(message, field);
    else redactInside(message, field, isSecret);
  }
}

function hide(message: ReflectMessage, field: DescField): void {
  if (field.fieldKind === "scalar" && field.scalar === ScalarType.STRING) message.set(field, redacted);
  else message.clear(field);
}

/** Sets values again after redaction, because reflection copies some types, such as Struct. */
function redactInside(message: ReflectMessage, field: DescField, isSecret: IsSecret): void {
  switch (field.fieldKind) {
    case "message": {
      const value = message.get(field);
      redactInPlace(value, isSecret);
      message.set(field, value);
      break;
    }
    case "list": {
      const list = message.get(field);
      for (const [index, item] of list.entries()) {
        if (!isReflectMessage(item)) break;
        redactInPlace(item, isSecret);
        list.set(index, item);
      }
      break;
    }
    case "map": {
      const map = message.get(field);
      for (const [key, value] of map.entries()) {
        if (!isReflectMessage(value)) break;
        redactInPlace(value, isSecret);
        map.set(key, value);
      }
      break;
    }
  }
}
