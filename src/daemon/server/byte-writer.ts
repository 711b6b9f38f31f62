/** A growing buffer for the protobuf binary format. */
export interface ByteWriter {
  bytes: Buffer;
  at: number;
}

const initialBytes = 65_536;
/** A larger buffer is replaced after use, to free memory. */
const maxKeptBytes = 4 * 1024 * 1024;

export function createByteWriter(): ByteWriter {
  return { bytes: Buffer.allocUnsafeSlow(initialBytes), at: 0 };
}

/** Makes room for `count` more bytes. */
export function reserve(writer: ByteWriter, count: number): void {
  const needed = writer.at + count;
  if (needed <= writer.bytes.length) return;
  const larger = Buffer.allocUnsafeSlow(Math.max(needed, writer.bytes.length * 2));
  writer.bytes.copy(larger, 0, 0, writer.at);
  writer.bytes = larger;
}

/** Returns a copy of the written bytes, and clears the writer. */
export function takeBytes(writer: ByteWriter): Uint8Array {
  const taken = Buffer.from(writer.bytes.subarray(0, writer.at));
  restart(writer);
  return taken;
}

/** Clears the writer. */
export function restart(writer: ByteWriter): void {
  writer.at = 0;
  if (writer.bytes.length > maxKeptBytes) writer.bytes = Buffer.allocUnsafeSlow(initialBytes);
}

/** Writes an unsigned 32-bit integer. */
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

/** Writes a signed 32-bit integer. A negative one takes ten bytes, because the format extends it to 64 bits. */
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

/** Writes a string: its length in bytes, then its UTF-8. */
export function writeText(writer: ByteWriter, text: string): void {
  if (text.length <= maxLoopLength && writeShortAscii(writer, text)) return;
  writeVarint(writer, Buffer.byteLength(text));
  reserve(writer, text.length * 3);
  writer.at += writer.bytes.write(text, writer.at, "utf8");
}

/** Up to this length, a loop is faster than `Buffer.write`. */
const maxLoopLength = 40;

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

/** Writes the output of `write`, preceded by its length in bytes. */
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

/** Writes raw bytes. */
export function writeBytes(writer: ByteWriter, bytes: Uint8Array): void {
  reserve(writer, bytes.length);
  writer.bytes.set(bytes, writer.at);
  writer.at += bytes.length;
}
