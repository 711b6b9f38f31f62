import {
  type DescMessage,
  fromBinary,
  fromJson,
  type JsonObject,
  type JsonValue,
  type Message,
  type Registry,
} from "@bufbuild/protobuf";
import { isFieldError } from "@bufbuild/protobuf/reflect";
import { jsonExcess } from "../../base/parse-json.js";
import { nearestNames } from "../../contract/nearest-names.js";
import { fullJson } from "../../contract/rpc/messages.js";
import { maskedText } from "../../judge/mask.js";
import { listUnknownFields } from "../../judge/rpc/unknown-fields.js";
import { messageExcess } from "../../wire/message-excess.js";
import type { Unreadable } from "../recorded/decompress.js";
import { type Codec, fault } from "./framing.js";

/** A decoded message and what the contract does not define in it. */
export interface DecodedMessage {
  readonly kind: "message";
  /** ProtoJSON, including fields with their default value. */
  readonly json: JsonObject;
  readonly unknown: readonly UnknownPart[];
}

/** A field that the contract does not define. */
export interface UnknownPart {
  /** The number of the field, or its name in JSON. */
  readonly name: string;
  /** The message that it is in. */
  readonly parent: string;
  /** Whether the message defines no fields, because the requirements leave them open. */
  readonly isOpen: boolean;
  /** The field of JSON that was probably meant. */
  readonly nearest?: string;
}

/** Decodes a message. `registry` has the types of `google.protobuf.Any`. Problems quote nothing of the message. */
export function decodeMessage(
  desc: DescMessage,
  bytes: Uint8Array,
  codec: Codec,
  registry: Registry,
): DecodedMessage | Unreadable {
  const excess =
    codec === "proto" ? messageExcess(desc, bytes, registry) : jsonExcess(Buffer.from(bytes).toString("utf8"));
  if (excess !== undefined) return { kind: "unread", reason: `a message beyond a limit: ${excess}` };
  return codec === "proto" ? decodeBinary(desc, bytes, registry) : decodeJson(desc, bytes, registry);
}

function decodeBinary(desc: DescMessage, bytes: Uint8Array, registry: Registry): DecodedMessage | Unreadable {
  try {
    const message: Message = fromBinary(desc, bytes);
    const unknown = listUnknownFields(desc, message).map(({ number, wireType, parent }) => ({
      name: `${number} (${wireType})`,
      parent: parent.name,
      isOpen: parent.fields.length === 0,
    }));
    return decoded(desc, message, unknown, registry);
  } catch (error) {
    const field = isFieldError(error) ? `: its field ${error.field().name} is malformed` : "";
    return fault(`expected a ${desc.name} in the binary format, got other bytes${field}`);
  }
}

function decodeJson(desc: DescMessage, bytes: Uint8Array, registry: Registry): DecodedMessage | Unreadable {
  let json: JsonValue;
  try {
    json = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return fault(`expected a ${desc.name} in JSON, got text that is not JSON`);
  }
  try {
    const message: Message = fromJson(desc, json, { ignoreUnknownFields: true, registry });
    return decoded(desc, message, unknownNames(desc, json), registry);
  } catch (error) {
    // What a recording masks need not have the type of its field.
    if (JSON.stringify(json).includes(maskedText)) return { kind: "unread", reason: "a message with masked values" };
    const reason = error instanceof Error ? error.message : "";
    if (unknownType.test(reason)) return { kind: "unread", reason: otherTypes };
    // Takes only the name from the error message, which also quotes the value.
    const [, name] = /^cannot decode field (?:\S+\.)?(\w+) from JSON/.exec(reason) ?? [];
    const field = name === undefined ? "" : `: its field ${name} has a value of another type`;
    return fault(`expected a ${desc.name} in JSON, got something else${field}`);
  }
}

const unknownType = /is not in the type registry/;
const otherTypes = "a message that holds one of a type outside the contract";

/** Renders a message as JSON, which fails if a required field is missing, or for a type that the contract lacks. */
function decoded(
  desc: DescMessage,
  message: Message,
  unknown: readonly UnknownPart[],
  registry: Registry,
): DecodedMessage | Unreadable {
  try {
    return { kind: "message", json: fullJson(desc, message, registry), unknown };
  } catch (error) {
    const reason = error instanceof Error ? error.message : "";
    if (unknownType.test(reason)) return { kind: "unread", reason: otherTypes };
    const [, name = "one"] = /(\w+) to JSON: required field/.exec(reason) ?? [];
    return fault(`expected a ${desc.name}, got one without its required field ${name} or with an invalid value`);
  }
}

function unknownNames(desc: DescMessage, json: JsonValue): UnknownPart[] {
  if (typeof json !== "object" || json === null || Array.isArray(json)) return [];
  return Object.entries(json).flatMap(([key, value]): UnknownPart[] => {
    const field = desc.fields.find(({ name, jsonName }) => key === name || key === jsonName);
    if (field === undefined) {
      const [nearest] = nearestNames(
        key,
        desc.fields.map(({ jsonName }) => jsonName),
      );
      const shown = /^\w{1,60}$/.test(key) ? key : "that is not a name";
      return [
        {
          name: shown,
          parent: desc.name,
          isOpen: desc.fields.length === 0,
          nearest,
        },
      ];
    }
    const nested = field.message;
    if (nested === undefined || field.fieldKind === "map" || nested.file.proto.package === "google.protobuf") return [];
    return [value].flat().flatMap((one) => unknownNames(nested, one));
  });
}
