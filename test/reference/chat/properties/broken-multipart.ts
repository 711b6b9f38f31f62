/** Defects of a multipart body. */
export const multipartFaults = [
  "nothing",
  "nothing",
  "no boundary named",
  "another boundary",
  "not closed",
  "no headers",
  "cut",
  "header without end",
  "two files",
  "strange file name",
  "empty file name",
  "nameless",
  "nested",
  "unknown transfer encoding",
] as const;
export type MultipartFault = (typeof multipartFaults)[number];

/** A field of a form. */
export type Field = readonly [name: string, value: string];

/** Builds a multipart body with one defect. */
export function brokenMultipart(
  fields: readonly Field[],
  fault: MultipartFault,
  withFile: boolean,
): { type: string; body: Buffer } {
  const boundary = "limit";
  const fileName = { "strange file name": '../..\\"\0\u202e/x', "empty file name": "" }[fault as string] ?? "a.txt";
  const file = `Content-Disposition: form-data; name="file"; filename="${fileName}"\r\nContent-Type: text/plain\r\n\r\nHello`;
  const parts = fields.map(([name, value]) => `Content-Disposition: form-data; name="${name}"\r\n\r\n${value}`);
  if (withFile) parts.push(file);
  if (fault === "two files") parts.push(file, file);
  if (fault === "no headers") parts.push("Hello");
  if (fault === "header without end") parts.push(`Content-Disposition: ${"form-data; ".repeat(10_000)}`);
  if (fault === "nameless") parts.push("Content-Disposition: form-data\r\n\r\nx");
  if (fault === "nested")
    parts.push("Content-Type: multipart/mixed; boundary=limit\r\n\r\n--limit\r\n\r\nx\r\n--limit--");
  if (fault === "unknown transfer encoding") {
    parts.push(
      'Content-Disposition: form-data; name="file"; filename="b"\r\nContent-Transfer-Encoding: rot13\r\n\r\nx',
    );
  }
  const whole = `${parts.map((part) => `--${boundary}\r\n${part}\r\n`).join("")}${fault === "not closed" ? "" : `--${boundary}--\r\n`}`;
  const body = Buffer.from(whole);
  const named = { "no boundary named": "", "another boundary": "; boundary=border" }[fault as string];
  return {
    type: `multipart/form-data${named ?? `; boundary=${boundary}`}`,
    body: fault === "cut" ? body.subarray(0, Math.floor(body.length * 0.6)) : body,
  };
}
