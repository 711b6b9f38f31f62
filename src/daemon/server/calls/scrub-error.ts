import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import { clone, create } from "@bufbuild/protobuf";
import { isReflectMessage, type ReflectMessage, reflect } from "@bufbuild/protobuf/reflect";
import { ConnectError } from "@connectrpc/connect";
import { redacted } from "../../redact.js";

type Scrub = (text: string) => string;
type Detail = ConnectError["details"][number];

/** As much of a message as fits into a header in every encoding. */
const longestMessage = 2_000;

/** Metadata with these names would change how the answer is read, or cannot be sent at all. */
const transportHeaders =
  /^(connection|content-.*|date|grpc-(accept-encoding|encoding|message|status.*|timeout)|host|keep-alive|proxy-connection|te|trailer|transfer-encoding|upgrade)$/;

/**
 * Copies an error so that a caller may see it: message, metadata and details without the texts that `scrub` takes out, and no
 * cause. What cannot be read is removed where it holds one of them: details of an unknown type, bytes, binary metadata.
 * A message that is known to hold no secret takes the place of the error's own, and stays as it is.
 */
export function scrubError(error: ConnectError, scrub: Scrub, knownMessage?: string): ConnectError {
  const message = knownMessage ?? wellFormed(scrub(error.rawMessage).slice(0, longestMessage));
  const clean = new ConnectError(message, error.code, scrubMetadata(error.metadata, scrub));
  clean.details = error.details.flatMap((detail) => scrubDetail(detail, scrub));
  return clean;
}

/** A lone half of a surrogate pair has no encoding. */
function wellFormed(text: string): string {
  return Buffer.from(text, "utf8").toString("utf8");
}

function scrubMetadata(metadata: Headers, scrub: Scrub): Headers {
  const kept = new Headers();
  metadata.forEach((value, name) => {
    if (transportHeaders.test(name) || scrub(name) !== name) return;
    if (!name.endsWith("-bin")) kept.append(name, scrub(value));
    else if (!holdsSecret(Buffer.from(value, "base64"), scrub)) kept.append(name, scrub(value));
  });
  return kept;
}

function scrubDetail(detail: Detail, scrub: Scrub): Detail[] {
  if (!("desc" in detail)) {
    const isClean = !holdsSecret(detail.value, scrub) && scrub(detail.type) === detail.type;
    return isClean ? [{ type: detail.type, value: detail.value }] : [];
  }
  const { desc } = detail;
  const copy = clone(desc, create(desc, detail.value));
  scrubInPlace(reflect(desc, copy), scrub);
  return [{ desc, value: copy }];
}

/** Texts stand in bytes as they are, in every format that has no compression. */
function holdsSecret(bytes: Uint8Array, scrub: Scrub): boolean {
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

/** Some messages, such as `Struct`, are plain objects that reflection shows as a new message, so values are set again. */
function scrubbed<Value>(value: Value, scrub: Scrub): Value | string | Uint8Array {
  if (typeof value === "string") return scrub(value);
  if (value instanceof Uint8Array) return holdsSecret(value, scrub) ? new TextEncoder().encode(redacted) : value;
  if (isReflectMessage(value)) scrubInPlace(value, scrub);
  return value;
}

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
