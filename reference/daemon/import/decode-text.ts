import { isAscii } from "node:buffer";
import type { NextSlice as NextTurn } from "../../../src/time-slices.js";

/**
 * Makes text of the bytes of a subscription, in turns: UTF-8, or UTF-16 with a byte order mark. The mark is left out, bytes that are
 * invalid become U+FFFD, every line ends with `\n`, and spaces, control characters and NULs around the text are gone.
 */
export async function decodeText(bytes: Uint8Array, nextTurn: NextTurn): Promise<string> {
  const decoder = new TextDecoder(encodingOf(bytes));
  const text = createLines(bytes.length, isAscii(bytes) ? "latin1" : "utf16le");
  for (let start = 0; start < bytes.length; start += bytesInATurn) {
    if (start > 0) await nextTurn();
    text.add(decoder.decode(bytes.subarray(start, start + bytesInATurn), { stream: true }));
  }
  text.add(decoder.decode());
  if (bytes.length > bytesInATurn) await nextTurn();
  return text.trimmed();
}

const bytesInATurn = 128 * 1024;

function encodingOf([first, second]: Uint8Array): "utf-8" | "utf-16le" | "utf-16be" {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  return "utf-8";
}

/**
 * Gathers pieces of text in a buffer, since strings that are put together or replaced piece by piece are copied in one go when
 * somebody first looks into them. No encoding has more UTF-16 code units than bytes.
 */
function createLines(mostUnits: number, encoding: "latin1" | "utf16le") {
  const units = encoding === "latin1" ? new Uint8Array(mostUnits) : new Uint16Array(mostUnits);
  const bytesPerUnit = units.BYTES_PER_ELEMENT;
  const buffer = Buffer.from(units.buffer);
  let length = 0;
  let endedInReturn = false;

  /** Writes a piece behind the others, then moves its units together: a line feed after a carriage return goes. */
  function add(piece: string): void {
    const end = length + piece.length;
    buffer.write(piece, length * bytesPerUnit, encoding);
    if (!endedInReturn && !piece.includes("\r")) {
      length = end;
      return;
    }
    for (let at = length; at < end; at++) {
      const unit = units[at] ?? 0;
      const isReturn = unit === carriageReturn;
      if (!(endedInReturn && unit === lineFeed)) units[length++] = isReturn ? lineFeed : unit;
      endedInReturn = isReturn;
    }
  }

  function trimmed(): string {
    let start = 0;
    while (start < length && isBlank(units[start] ?? 0)) start++;
    while (length > start && isBlank(units[length - 1] ?? 0)) length--;
    return buffer.toString(encoding, start * bytesPerUnit, length * bytesPerUnit);
  }

  return { add, trimmed };
}

const carriageReturn = 0x0d;
const lineFeed = 0x0a;

function isBlank(unit: number): boolean {
  return unit <= 0x20 || unit === 0xa0 || unit === 0xfeff;
}
