import type { Bytes } from "../../contract/check.js";
import { bytesOf } from "../../judge/bytes.js";

/** The form of a file in a case or workflow. */
export interface FileDescription {
  readonly name: string;
  /** Defaults to `application/octet-stream`. */
  readonly type?: string;
  readonly text?: string;
  readonly bytes?: Bytes;
}

const known = new WeakMap<Blob, Buffer>();

/** Returns the file that a value of a check describes, with this type if it has none; undefined if it describes no file. */
export function describedFile(value: unknown, otherType = "application/octet-stream"): File | undefined {
  if (!isFileDescription(value)) return undefined;
  const { name, type = otherType, text = "", bytes = { text } } = value;
  const content = bytesOf(bytes);
  const file = new File([new Uint8Array(content)], name, { type });
  known.set(file, content);
  return file;
}

/** The bytes of a described file, which are otherwise read in a promise. */
export function describedBytes(file: Blob): Buffer {
  return known.get(file) ?? Buffer.alloc(0);
}

/** Whether a value of a check describes a file. */
function isFileDescription(value: unknown): value is FileDescription {
  return typeof value === "object" && value !== null && "name" in value && ("text" in value || "bytes" in value);
}
