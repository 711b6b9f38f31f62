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
import { parseUrl } from "../parse-url.js";
import { isSecretField } from "./is-secret-field.js";

/** The replacement of redacted text. */
export const redacted = "[redacted]";

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

/**
 * Reduces a URL to the parts that hold no secret: `<scheme>://<host>[:port]`.
 *
 * Returns `[redacted]` for text that is not a URL, for schemes other than http and https (the host of `ss://…` can be the secret
 * itself), and for a URL with `@` after its host: its password may contain an unescaped `/`, `?` or `#`, so that the apparent host is
 * a part of the credentials.
 */
export function redactUrl(text: string): string {
  const beyondHost = /^https?:\/\/[^/?#\\]+(.*)$/is.exec(text)?.[1];
  if (beyondHost === undefined || beyondHost.includes("@") || parseUrl(text) === undefined) return redacted;
  const { protocol, host } = new URL(text);
  return `${protocol}//${host}`;
}
