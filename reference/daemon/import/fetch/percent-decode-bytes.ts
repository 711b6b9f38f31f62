const percent = 0x25;

/** Decodes `%41` to bytes; a `%` that begins no such code stays as it is, as the URL standard says. Never throws. */
export function percentDecodeBytes(text: string): Buffer {
  const bytes = Buffer.from(text, "utf8");
  let length = bytes.indexOf(percent);
  if (length < 0) return bytes;
  for (let index = length; index < bytes.length; index += 1) {
    const code = bytes[index] === percent ? codeAt(bytes, index + 1) : undefined;
    bytes[length] = code ?? bytes[index] ?? 0;
    if (code !== undefined) index += 2;
    length += 1;
  }
  return bytes.subarray(0, length);
}

function codeAt(bytes: Buffer, index: number): number | undefined {
  const digits = bytes.toString("latin1", index, index + 2);
  return /^[0-9a-f]{2}$/i.test(digits) ? Number.parseInt(digits, 16) : undefined;
}
