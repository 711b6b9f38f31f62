import type { BusboyInstance, Dicer } from "@fastify/busboy";
import { percentDecodeStrictly } from "../../base/percent-decode.js";

/**
 * Makes a multipart parser prefer `filename*` to `filename` if a part has both, as some clients send them although RFC 7578, section 4.2,
 * forbids `filename*`. By itself, the parser may take either, depending on their order.
 */
export function preferExtendedNames(parser: BusboyInstance): void {
  // The only way to the headers of a part. Without it, `filename` counts.
  const { _parser: inner } = parser as { readonly _parser?: { readonly parser?: Dicer } };
  inner?.parser?.prependListener("part", (part: NodeJS.EventEmitter) => {
    part.on("header", (headers: Partial<Record<string, string[]>>) => {
      const [first, ...others] = headers["content-disposition"] ?? [];
      if (first !== undefined) headers["content-disposition"] = [withOneFileName(first), ...others];
    });
  });
}

/** A parameter of a header (RFC 6266, section 4.1). */
const parameter = /;\s*([^=;\s]+)\s*=\s*("(?:[^"\\]|\\.)*"|[^;]*)/g;
/** An extended value (RFC 8187, section 3.2.1), which some clients quote. */
const extendedValue = /^("?)UTF-8'[^']*'([^'"]*)\1\s*$/i;

/** Keeps only one file name of a `Content-Disposition` header: `filename*`, or `filename` if the former is malformed. */
function withOneFileName(header: string): string {
  const parameters = Array.from(header.matchAll(parameter), ([text, name = "", value = ""]) => {
    return { text, name: name.toLowerCase(), value };
  });
  const extended = parameters.find(({ name }) => name === "filename*");
  if (extended === undefined || !parameters.some(({ name }) => name === "filename")) return header;
  const encoded = extendedValue.exec(extended.value)?.[2];
  const isValid = encoded !== undefined && percentDecodeStrictly(encoded) !== undefined;
  const kept = parameters.filter(({ name }) => name !== (isValid ? "filename" : "filename*"));
  return (header.split(";", 1)[0] ?? "") + kept.map(({ text }) => text).join("");
}
