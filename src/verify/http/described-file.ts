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

/** Returns the file that a value of a check describes; undefined if it describes no file. */
export function describedFile(value: unknown): File | undefined {
  if (!isFileDescription(value)) return undefined;
  const { name, type = "application/octet-stream", text = "", bytes = { text } } = value;
  return new File([new Uint8Array(bytesOf(bytes))], name, { type });
}

/** Whether a value of a check describes a file. */
export function isFileDescription(value: unknown): value is FileDescription {
  return typeof value === "object" && value !== null && "name" in value && ("text" in value || "bytes" in value);
}
