/** A text as the bytes of its UTF-8, one character each, that still knows where in the text each of them stands. */
export interface Reading {
  readonly bytes: string;
  /** Where the character of each byte begins in the text. */
  readonly from: readonly number[];
  /** Where it ends. */
  readonly to: readonly number[];
}

/** The bytes of a text in UTF-8, one character each. */
export function bytesOf(text: string): string {
  return Buffer.from(text, "utf8").toString("latin1");
}

/** Takes one layer of percent-encoding off. What is no valid encoding stays as it is. */
export function percentDecoded(bytes: string): string {
  return bytes.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** The text as it is, and without one, two, … layers of percent-encoding, as long as that makes a difference. */
export function readings(text: string, layers: number): readonly Reading[] {
  const all = [asWritten(text)];
  for (let reading = all[0]; reading !== undefined && all.length <= layers; ) {
    const next = decoded(reading);
    if (next.bytes.length === reading.bytes.length) break;
    all.push(next);
    reading = next;
  }
  return all;
}

function asWritten(text: string): Reading {
  const from: number[] = [];
  const to: number[] = [];
  let at = 0;
  for (const character of text) {
    const end = at + character.length;
    for (let rest = Buffer.byteLength(character); rest > 0; rest--) {
      from.push(at);
      to.push(end);
    }
    at = end;
  }
  return { bytes: bytesOf(text), from, to };
}

function decoded(reading: Reading): Reading {
  const from: number[] = [];
  const to: number[] = [];
  const bytes = percentDecoded(reading.bytes);
  for (let at = 0, source = 0; at < bytes.length; at++) {
    const isEncoded = /^%[0-9a-f]{2}$/i.test(reading.bytes.slice(source, source + 3));
    from.push(reading.from[source] ?? 0);
    source += isEncoded ? 3 : 1;
    to.push(reading.to[source - 1] ?? 0);
  }
  return { bytes, from, to };
}
