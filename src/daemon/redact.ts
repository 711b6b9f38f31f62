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

/** What stands in place of what must not be shown. */
export const redacted = "[redacted]";

/**
 * Copies a message so that it is safe to log: fields with the option `debug_redact` lose their value, at every depth.
 *
 * A text that is set becomes `[redacted]`; any other value is removed. Whatever the contract does not know is removed as well,
 * because it may be secret: unknown fields, extensions, and the content of `google.protobuf.Any`.
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
    else if (field.proto.options?.debugRedact === true) hide(message, field);
    else redactInside(message, field);
  }
}

function hide(message: ReflectMessage, field: DescField): void {
  if (field.fieldKind === "scalar" && field.scalar === ScalarType.STRING) message.set(field, redacted);
  else message.clear(field);
}

/** Values are set again, because some types, such as Struct, are plain objects that reflection shows as a new message. */
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
 * Shows of a URL only what holds no secret: `<scheme>://<host>[:port]`.
 *
 * Anything else gives `[redacted]`: a text that is no URL, another scheme than http and https (the host of `ss://…` can be the
 * secret itself), and a URL with `@` after its host. There a `/`, `?` or `#` that was meant as a part of the password may have
 * cut it in two, so that what looks like the host is a piece of the user name or password.
 */
export function redactUrl(text: string): string {
  const beyondHost = /^https?:\/\/[^/?#\\]+(.*)$/is.exec(text)?.[1];
  if (beyondHost === undefined || beyondHost.includes("@") || parseUrl(text) === undefined) return redacted;
  const { protocol, host } = new URL(text);
  return `${protocol}//${host}`;
}
