import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import { clone, create } from "@bufbuild/protobuf";
import { isReflectMessage, type ReflectMessage, reflect } from "@bufbuild/protobuf/reflect";
import { ConnectError } from "@connectrpc/connect";
import { isSecretField } from "../../is-secret-field.js";
import { redacted } from "../../redact.js";

type Scrub = (text: string) => string;
type Detail = ConnectError["details"][number];

/** Maximum length of a message, so that it fits into a header in every encoding. */
const maxMessageLength = 2_000;

/** Metadata with these names would change how a response is read, or cannot be sent. */
const transportHeaders =
  /^(connection|content-.*|date|grpc-(accept-encoding|encoding|message|status.*|timeout)|host|keep-alive|proxy-connection|te|trailer|transfer-encoding|upgrade)$/;

/**
 * Copies an error so that the caller may see it: without a cause, and with message, metadata and details scrubbed. Removes binary
 * metadata and details of an unknown type that contain a secret, and replaces such bytes. `knownMessage`, which is known to hold no
 * secret, replaces the message unscrubbed.
 */
export function scrubError(error: ConnectError, scrub: Scrub, knownMessage?: string): ConnectError {
  const message = knownMessage ?? wellFormed(scrub(error.rawMessage).slice(0, maxMessageLength));
  const clean = new ConnectError(message, error.code, scrubMetadata(error.metadata, scrub));
  clean.details = error.details.flatMap((detail) => scrubDetail(detail, scrub));
  return clean;
}

/** Replaces lone surrogates, which have no encoding. */
function wellFormed(text: string): string {
  return Buffer.from(text, "utf8").toString("utf8");
}

function scrubMetadata(metadata: Headers, scrub: Scrub): Headers {
  const kept = new Headers();
  metadata.forEach((value, name) => {
    if (transportHeaders.test(name) || scrub(name) !== name) return;
    if (!name.endsWith("-bin")) kept.append(name, scrub(value));
    else if (!containsSecret(Buffer.from(value, "base64"), scrub)) kept.append(name, scrub(value));
  });
  return kept;
}

function scrubDetail(detail: Detail, scrub: Scrub): Detail[] {
  if (!("desc" in detail)) {
    const isClean = !containsSecret(detail.value, scrub) && scrub(detail.type) === detail.type;
    return isClean ? [{ type: detail.type, value: detail.value }] : [];
  }
  const { desc } = detail;
  const copy = clone(desc, create(desc, detail.value));
  scrubInPlace(reflect(desc, copy), scrub);
  return [{ desc, value: copy }];
}

/** Whether bytes contain a secret. Uncompressed formats store strings verbatim. */
function containsSecret(bytes: Uint8Array, scrub: Scrub): boolean {
  const text = Buffer.from(bytes).toString("utf8");
  return scrub(text) !== text;
}

function scrubInPlace(message: ReflectMessage, scrub: Scrub): void {
  message.setUnknown([]);
  for (const field of message.fields) {
    if (!message.isSet(field)) continue;
    switch (field.fieldKind) {
      case "scalar":
      case "message":
        message.set(field, scrubbed(message.get(field), scrub));
        break;
      case "list": {
        const list = message.get(field);
        for (const [index, item] of list.entries()) list.set(index, scrubbed(item, scrub));
        break;
      }
      case "map": {
        const map = message.get(field);
        for (const [key, value] of [...map]) {
          map.delete(key);
          map.set(scrubbed(key, scrub), scrubbed(value, scrub));
        }
        break;
      }
    }
  }
}

/** Scrubs a value and returns it, because reflection copies some types, such as `Struct`. */
function scrubbed<Value>(value: Value, scrub: Scrub): Value | string | Uint8Array {
  if (typeof value === "string") return scrub(value);
  if (value instanceof Uint8Array) return containsSecret(value, scrub) ? new TextEncoder().encode(redacted) : value;
  if (isReflectMessage(value)) scrubInPlace(value, scrub);
  return value;
}

/** The strings in the secret fields of a message, at every depth. */
export function secretTexts<Desc extends DescMessage>(schema: Desc, message: MessageShape<Desc>): string[] {
  return textsIn(reflect(schema, message), false);
}

function textsIn(message: ReflectMessage, secret: boolean): string[] {
  return message.fields.flatMap((field) => {
    const isSecret = secret || isSecretField(field);
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
