import type { DescField, DescMessage, JsonObject, JsonValue } from "@bufbuild/protobuf";
import { isObject } from "../../base/is-object.js";
import { textsIn } from "../../contract/map-texts.js";
import type { RpcContract } from "../../contract/rpc/contract.js";
import { redacted, redactUrl } from "../../secrets/redact-url.js";
import { maskedText } from "../mask.js";
import { secretsOfUrl } from "../url-secrets.js";

/** Masks all of a URL but scheme, host and port: `http://127.0.0.1:4711/***`. */
export function maskUrl(url: string): string {
  const shown = redactUrl(url);
  return shown === redacted ? maskedText : `${shown}/${maskedText}`;
}

/** Masks the secret fields of a message, at any depth; of a URL, all but scheme, host and port. */
export function maskMessage(schema: DescMessage, json: JsonObject, isSecret: RpcContract["isSecret"]): JsonObject {
  const entries = Object.entries(json).map(([name, value]): [string, JsonValue] => {
    const field = schema.fields.find(({ jsonName }) => jsonName === name);
    if (field === undefined) return [name, value];
    if (isSecret(field)) return [name, typeof value === "string" ? maskUrl(value) : maskedText];
    const { message } = field;
    return [name, message === undefined ? value : maskInside(value, field.fieldKind, message, isSecret)];
  });
  return Object.fromEntries(entries);
}

function maskInside(
  value: JsonValue,
  kind: DescField["fieldKind"],
  message: DescMessage,
  isSecret: RpcContract["isSecret"],
): JsonValue {
  if (Array.isArray(value)) return value.map((item) => maskInside(item, "message", message, isSecret));
  if (typeof value !== "object" || value === null) return value;
  if (kind !== "map") return maskMessage(message, value, isSecret);
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, maskInside(item, "message", message, isSecret)]),
  );
}

/** The texts that a report about a request must not show: the values of its secret fields; of a URL, what looks like a secret in it. */
export function secretsToMask(schema: DescMessage, request: JsonObject, isSecret: RpcContract["isSecret"]): string[] {
  return secretTexts(schema, request, isSecret).flatMap((text) =>
    /^[a-z][a-z\d+.-]*:/i.test(text) ? secretsOfUrl(text).map(({ secret }) => secret) : [text],
  );
}

/** The texts in the secret fields of a message, at any depth. */
export function secretTexts(schema: DescMessage, json: JsonObject, isSecret: RpcContract["isSecret"]): string[] {
  return schema.fields.flatMap((field) => {
    const value = json[field.jsonName];
    if (isSecret(field)) return textsIn(value).filter((text) => text !== "");
    const { message } = field;
    if (message === undefined || typeof value !== "object" || value === null) return [];
    const messages = field.fieldKind === "message" ? [value] : Object.values(value);
    return messages.flatMap((one) => (isObject(one) ? secretTexts(message, one, isSecret) : []));
  });
}
