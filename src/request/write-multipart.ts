import type { Part } from "./create-encode.js";

/** Writes a multipart body (RFC 7578), as `FormData` does, but with the media types of texts. */
export async function writeMultipart(
  parts: readonly Part[],
): Promise<{ readonly type: string; readonly bytes: Uint8Array }> {
  const boundary = `accord-${crypto.randomUUID()}`;
  const pieces = parts.flatMap(([name, value, textType]) => {
    const isText = typeof value === "string";
    const fileName = isText ? "" : `; filename="${quoted(value instanceof File ? value.name : "blob")}"`;
    const type = isText ? textType : value.type || "application/octet-stream";
    const head = [
      `--${boundary}`,
      `Content-Disposition: form-data; name="${quoted(name)}"${fileName}`,
      ...(type === undefined ? [] : [`Content-Type: ${type}`]),
    ];
    return [`${head.join("\r\n")}\r\n\r\n`, isText ? value.replace(/\r\n?|\n/g, "\r\n") : value, "\r\n"];
  });
  const bytes = new Uint8Array(await new Blob([...pieces, `--${boundary}--\r\n`]).arrayBuffer());
  return { type: `multipart/form-data; boundary=${boundary}`, bytes };
}

/** Escapes a name (HTML, "Multipart form data"). */
function quoted(name: string): string {
  return name.replace(/\r\n?|\n/g, "%0D%0A").replaceAll('"', "%22");
}
