/** Writes pieces of the protobuf binary format one after the other into memory that grows. */
export interface ByteWriter {
  bytes: Buffer;
  at: number;
}

const firstSize = 65_536;
/** Memory beyond this is given back when it is not needed any more. */
const keptSize = 4 * 1024 * 1024;

export function createByteWriter(): ByteWriter {
  return { bytes: Buffer.allocUnsafeSlow(firstSize), at: 0 };
}

/** Makes room for so many bytes more. */
export function reserve(writer: ByteWriter, count: number): void {
  const needed = writer.at + count;
  if (needed <= writer.bytes.length) return;
  const larger = Buffer.allocUnsafeSlow(Math.max(needed, writer.bytes.length * 2));
  writer.bytes.copy(larger, 0, 0, writer.at);
  writer.bytes = larger;
}

/** Copies what was written, and begins again. */
export function takeBytes(writer: ByteWriter): Uint8Array {
  const taken = Buffer.from(writer.bytes.subarray(0, writer.at));
  restart(writer);
  return taken;
}

/** Forgets what was written. */
export function restart(writer: ByteWriter): void {
  writer.at = 0;
  if (writer.bytes.length > keptSize) writer.bytes = Buffer.allocUnsafeSlow(firstSize);
}

/** Writes an unsigned number of 32 bits. */
export function writeVarint(writer: ByteWriter, value: number): void {
  reserve(writer, 5);
  const { bytes } = writer;
  let rest = value;
  while (rest > 0x7f) {
    bytes[writer.at++] = (rest & 0x7f) | 0x80;
    rest >>>= 7;
  }
  bytes[writer.at++] = rest;
}

/** Writes a signed number of 32 bits. A negative one takes the ten bytes of 64 bits, as the format demands. */
export function writeInt32(writer: ByteWriter, value: number): void {
  if (value >= 0) {
    writeVarint(writer, value);
    return;
  }
  reserve(writer, 10);
  const { bytes } = writer;
  for (let shift = 0; shift < 28; shift += 7) bytes[writer.at++] = ((value >>> shift) & 0x7f) | 0x80;
  bytes[writer.at++] = (value >>> 28) | 0xf0;
  for (let rest = 0; rest < 4; rest++) bytes[writer.at++] = 0xff;
  bytes[writer.at++] = 1;
}

/** Writes a text in UTF-8 after its length in bytes. */
export function writeText(writer: ByteWriter, text: string): void {
  if (text.length <= shortText && writeShortAscii(writer, text)) return;
  writeVarint(writer, Buffer.byteLength(text));
  reserve(writer, text.length * 3);
  writer.at += writer.bytes.write(text, writer.at, "utf8");
}

/** For so few characters a loop is faster than a call of the runtime. */
const shortText = 40;

function writeShortAscii(writer: ByteWriter, text: string): boolean {
  const { length } = text;
  reserve(writer, 1 + length);
  const { bytes } = writer;
  const start = writer.at + 1;
  for (let index = 0; index < length; index++) {
    const unit = text.charCodeAt(index);
    if (unit > 0x7f) return false;
    bytes[start + index] = unit;
  }
  bytes[writer.at] = length;
  writer.at = start + length;
  return true;
}

/** Writes what `write` writes after its length in bytes. */
export function writeDelimited(writer: ByteWriter, write: () => void): void {
  reserve(writer, 1);
  const start = ++writer.at;
  write();
  const length = writer.at - start;
  if (length <= 0x7f) {
    writer.bytes[start - 1] = length;
    return;
  }
  const room = Math.ceil((32 - Math.clz32(length)) / 7) - 1;
  reserve(writer, room);
  writer.bytes.copyWithin(start + room, start, writer.at);
  writer.at = start - 1;
  writeVarint(writer, length);
  writer.at += length;
}

/** Writes bytes as they are. */
export function writeBytes(writer: ByteWriter, bytes: Uint8Array): void {
  reserve(writer, bytes.length);
  writer.bytes.set(bytes, writer.at);
  writer.at += bytes.length;
}
