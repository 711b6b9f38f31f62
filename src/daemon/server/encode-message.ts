import {
  create,
  type DescField,
  type DescMessage,
  type DescOneof,
  type MessageInitShape,
  ScalarType,
  toBinary,
  type UnknownField,
} from "@bufbuild/protobuf";
import { FeatureSet_FieldPresence } from "@bufbuild/protobuf/wkt";
import { nextSlice } from "../../time-slices.js";
import {
  type ByteWriter,
  createByteWriter,
  restart,
  takeBytes,
  writeBytes,
  writeDelimited,
  writeInt32,
  writeText,
  writeVarint,
} from "./byte-writer.js";

/**
 * Encodes the fields of a message after `room` zero bytes. Returns the result synchronously unless the message has long lists, which
 * it encodes in slices.
 *
 * Throws a `TypeError`, or rejects with one, if a value does not match its field. The message names the field, never the value.
 */
export type Encode<Desc extends DescMessage> = (
  message: MessageInitShape<Desc>,
  room?: number,
) => Uint8Array | Promise<Uint8Array>;

/** A slice of this many entries takes one or two milliseconds. */
const entriesPerSlice = 2_000;

const writer = createByteWriter();
type Fields = Readonly<Record<string, unknown>>;

/** Writes one member of a message. The entries of a list can be written separately, because the format concatenates them. */
interface MemberWriter {
  readonly name: string;
  readonly write: (writer: ByteWriter, value: unknown) => void;
  readonly writeEntry?: (writer: ByteWriter, entry: unknown) => void;
}

/**
 * Creates an encoder for the protobuf binary format (https://protobuf.dev/programming-guides/encoding/). It takes the same input as
 * `create`, without creating a message first. It writes strings, int32, booleans, messages, and lists of strings and messages directly,
 * about ten times as fast as `toBinary`, and leaves other fields to `toBinary`.
 */
export function createEncoder<Desc extends DescMessage>(schema: Desc): Encode<Desc> {
  const members = membersOf(schema);
  return (message, room = 0) => {
    const fields = message as Fields;
    if (entriesOf(fields, members) > entriesPerSlice) return encodeInSlices(members, fields, room);
    return written(() => {
      writeBytes(writer, Buffer.alloc(room));
      writeMessage(writer, schema, fields);
    });
  };
}

function entriesOf(fields: Fields, members: readonly MemberWriter[]): number {
  let count = 0;
  for (const { name, writeEntry } of members) {
    const value = writeEntry === undefined ? undefined : fields[name];
    if (Array.isArray(value)) count += value.length;
  }
  return count;
}

async function encodeInSlices(members: readonly MemberWriter[], fields: Fields, room: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [Buffer.alloc(room)];
  for (const { name, write, writeEntry } of members) {
    const value = fields[name];
    if (writeEntry === undefined || !Array.isArray(value)) {
      parts.push(written(() => write(writer, value)));
      continue;
    }
    for (let start = 0; start < value.length; start += entriesPerSlice) {
      await nextSlice();
      const end = Math.min(start + entriesPerSlice, value.length);
      parts.push(
        written(() => {
          for (let index = start; index < end; index++) writeEntry(writer, value[index]);
        }),
      );
    }
  }
  parts.push(written(() => writeUnknown(writer, fields)));
  return Buffer.concat(parts);
}

function written(write: () => void): Uint8Array {
  try {
    write();
    return takeBytes(writer);
  } finally {
    restart(writer);
  }
}

const known = new Map<DescMessage, readonly MemberWriter[]>();

function membersOf(schema: DescMessage): readonly MemberWriter[] {
  const found = known.get(schema);
  if (found !== undefined) return found;
  const members = schema.members.map((member) => direct(member) ?? throughMessage(schema, member));
  known.set(schema, members);
  return members;
}

function writeMessage(target: ByteWriter, schema: DescMessage, fields: Fields): void {
  for (const { name, write } of membersOf(schema)) write(target, fields[name]);
  writeUnknown(target, fields);
}

/** Writes the fields that a message was read with and its schema does not know. */
function writeUnknown(target: ByteWriter, { $unknown }: Fields): void {
  if (!Array.isArray($unknown)) return;
  for (const { no, wireType, data } of $unknown as readonly UnknownField[]) {
    writeVarint(target, ((no << 3) | wireType) >>> 0);
    writeBytes(target, data);
  }
}

function direct(member: DescField | DescOneof): MemberWriter | undefined {
  if (member.kind === "oneof" || ("delimitedEncoding" in member && member.delimitedEncoding)) return undefined;
  const name = member.localName;
  if (member.fieldKind === "list") {
    const writeEntry = lengthDelimited(member, member.listKind === "scalar" ? member.scalar : member.message);
    if (writeEntry === undefined) return undefined;
    const write = (target: ByteWriter, value: unknown) => {
      if (value === undefined) return;
      if (!Array.isArray(value)) throw mismatch(member);
      for (const entry of value) writeEntry(target, entry);
    };
    return { name, write, writeEntry };
  }
  if (member.fieldKind === "message") {
    const write = lengthDelimited(member, member.message);
    return write && { name, write: (target, value) => value !== undefined && write(target, value) };
  }
  if (member.fieldKind !== "scalar" || member.presence !== FeatureSet_FieldPresence.IMPLICIT) return undefined;
  return scalar(member, member.scalar);
}

function scalar(field: DescField, type: ScalarType): MemberWriter | undefined {
  const name = field.localName;
  switch (type) {
    case ScalarType.STRING: {
      const write = lengthDelimited(field, type);
      return write && { name, write: (target, value) => value !== undefined && value !== "" && write(target, value) };
    }
    case ScalarType.INT32: {
      const tag = field.number << 3;
      const write = (target: ByteWriter, value: unknown) => {
        if (value === undefined || value === 0) return;
        if (typeof value !== "number" || (value | 0) !== value) throw mismatch(field);
        writeVarint(target, tag);
        writeInt32(target, value);
      };
      return { name, write };
    }
    case ScalarType.BOOL: {
      const tag = field.number << 3;
      const write = (target: ByteWriter, value: unknown) => {
        if (value === undefined || value === false) return;
        if (value !== true) throw mismatch(field);
        writeVarint(target, tag);
        writeVarint(target, 1);
      };
      return { name, write };
    }
    default:
      return undefined;
  }
}

/** A writer of strings or messages with their tag. Undefined for messages of google.protobuf, whose JavaScript form may differ. */
function lengthDelimited(field: DescField, type: ScalarType | DescMessage | undefined): MemberWriter["writeEntry"] {
  const tag = ((field.number << 3) | 2) >>> 0;
  if (type === ScalarType.STRING) {
    return (target, value) => {
      if (typeof value !== "string") throw mismatch(field);
      writeVarint(target, tag);
      writeText(target, value);
    };
  }
  if (typeof type !== "object" || type.typeName.startsWith("google.protobuf.")) return undefined;
  return (target, value) => {
    if (typeof value !== "object" || value === null) throw mismatch(field);
    writeVarint(target, tag);
    writeDelimited(target, () => writeMessage(target, type, value as Fields));
  };
}

/** A writer that encodes a message with only one member set. */
function throughMessage(schema: DescMessage, member: DescField | DescOneof): MemberWriter {
  const name = member.localName;
  const write = (target: ByteWriter, value: unknown) => {
    if (value === undefined) return;
    let bytes: Uint8Array;
    try {
      bytes = toBinary(schema, create(schema, { [name]: value }));
    } catch {
      // The error may quote the value.
      throw mismatch(member);
    }
    writeBytes(target, bytes);
  };
  return { name, write };
}

function mismatch(member: DescField | DescOneof): TypeError {
  return new TypeError(`The value does not match the field ${member.parent.typeName}.${member.name}`);
}
