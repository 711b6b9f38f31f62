import type { FileHandle } from "node:fs/promises";
import type { DaemonCase } from "../../contract/daemon/cases.js";
import { createSecretFinder, showsPlainly } from "./secret-finder.js";

/** A case and its secrets. */
export type SecretOwner = Pick<DaemonCase, "name" | "secrets">;

/** The secrets found in a part of a file. */
export interface FileScan {
  /** The first 100 lines with secrets, in order. Line 1 is the first of the part. */
  readonly found: readonly {
    readonly line: number;
    readonly cases: readonly string[];
    /** The cases among them whose secret is spelled as in the URL, or decoded. */
    readonly plain: readonly string[];
  }[];
  readonly bytes: number;
  /** Whether the file continues after the part. */
  readonly hasMore: boolean;
}

/** The maximum number of lines that are reported. */
const maxFound = 100;
const pieceBytes = 65_536;
/** Lines without a newline are searched in pieces. A longer spelling that spans two pieces is missed. */
const overlapBytes = 4096;
const newline = 0x0a;

/** Searches at most `maxBytes` of a file for the secrets of cases, from a position on. Rejects if the file is unreadable. */
export async function scanFile(
  file: FileHandle,
  from: number,
  maxBytes: number,
  owners: readonly SecretOwner[],
): Promise<FileScan> {
  const find = createSecretFinder([...new Set(owners.flatMap((owner) => owner.secrets ?? []))]);
  const found = new Map<number, { readonly cases: Set<string>; readonly plain: Set<string> }>();
  const end = from + maxBytes;
  const piece = Buffer.alloc(pieceBytes);
  let position = from;
  let line = 1;
  let rest = Buffer.alloc(0);
  for (let isAtEnd = false; !isAtEnd; ) {
    const { bytesRead } = await file.read(piece, 0, Math.min(pieceBytes, end - position), position);
    position += bytesRead;
    isAtEnd = bytesRead === 0;
    const bytes = Buffer.concat([rest, piece.subarray(0, bytesRead)]);
    const lineEnd = bytes.lastIndexOf(newline) + 1;
    const isUnterminated = lineEnd === 0 && bytes.length > overlapBytes;
    const searched = isAtEnd || isUnterminated ? bytes : bytes.subarray(0, lineEnd);
    search(searched.toString());
    line += countNewlines(searched);
    rest = isUnterminated ? bytes.subarray(-overlapBytes) : bytes.subarray(searched.length);
  }
  const hasMore = (await file.stat()).size > position;
  return {
    found: [...found].map(([at, { cases, plain }]) => ({ line: at, cases: [...cases], plain: [...plain] })),
    bytes: position - from,
    hasMore,
  };

  function search(text: string): void {
    if (find(text).length === 0) return;
    for (const [index, content] of text.split("\n").entries()) {
      const shown = find(content);
      if (shown.length === 0 || (found.size === maxFound && !found.has(line + index))) continue;
      const names = owners.filter((owner) => owner.secrets?.some((secret) => shown.includes(secret)));
      const { cases, plain } = found.get(line + index) ?? { cases: new Set(), plain: new Set() };
      for (const { name, secrets = [] } of names) {
        cases.add(name);
        if (showsPlainly(content, secrets)) plain.add(name);
      }
      found.set(line + index, { cases, plain });
    }
  }
}

/** Counts the newlines before a position. Rejects if the file is unreadable. */
export async function countLines(file: FileHandle, before: number): Promise<number> {
  const piece = Buffer.alloc(pieceBytes);
  let lines = 0;
  for (let position = 0; position < before; ) {
    const { bytesRead } = await file.read(piece, 0, Math.min(pieceBytes, before - position), position);
    if (bytesRead === 0) break;
    position += bytesRead;
    lines += countNewlines(piece.subarray(0, bytesRead));
  }
  return lines;
}

function countNewlines(bytes: Buffer): number {
  let lines = 0;
  for (let at = bytes.indexOf(newline); at >= 0; at = bytes.indexOf(newline, at + 1)) lines += 1;
  return lines;
}
