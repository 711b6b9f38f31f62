import type { FileHandle } from "node:fs/promises";
import type { DaemonCase } from "../../contract/daemon/cases.js";
import { createSecretFinder } from "./secret-finder.js";

/** A case and its secrets. */
export type SecretOwner = Pick<DaemonCase, "name" | "secrets">;

/** What was found in a part of a file. */
export interface FileScan {
  /** Where the part begins is line 1. In the order of the lines, at most 100 of them. */
  readonly found: readonly { readonly line: number; readonly cases: readonly string[] }[];
  readonly bytes: number;
  /** Whether the file goes on after the part. */
  readonly goesOn: boolean;
}

const mostFound = 100;
const pieceBytes = 65_536;
/** A spelling that is longer than this is missed where a line without end is cut. */
const overlapBytes = 4096;
const newline = 0x0a;

/**
 * Searches a file for the secrets of cases, from a position on and for so many bytes at most, piece by piece. Rejects when the file
 * cannot be read.
 */
export async function scanFile(
  file: FileHandle,
  from: number,
  mostBytes: number,
  owners: readonly SecretOwner[],
): Promise<FileScan> {
  const find = createSecretFinder([...new Set(owners.flatMap((owner) => owner.secrets ?? []))]);
  const found = new Map<number, Set<string>>();
  const end = from + mostBytes;
  const piece = Buffer.alloc(pieceBytes);
  let position = from;
  let line = 1;
  let rest = Buffer.alloc(0);
  for (let isOver = false; !isOver; ) {
    const { bytesRead } = await file.read(piece, 0, Math.min(pieceBytes, end - position), position);
    position += bytesRead;
    isOver = bytesRead === 0;
    const bytes = Buffer.concat([rest, piece.subarray(0, bytesRead)]);
    const lineEnd = bytes.lastIndexOf(newline) + 1;
    const isEndless = lineEnd === 0 && bytes.length > overlapBytes;
    const searched = isOver || isEndless ? bytes : bytes.subarray(0, lineEnd);
    search(searched.toString());
    line += countNewlines(searched);
    rest = isEndless ? bytes.subarray(-overlapBytes) : bytes.subarray(searched.length);
  }
  const goesOn = (await file.stat()).size > position;
  return { found: [...found].map(([at, cases]) => ({ line: at, cases: [...cases] })), bytes: position - from, goesOn };

  function search(text: string): void {
    if (find(text).length === 0) return;
    for (const [index, content] of text.split("\n").entries()) {
      const shown = find(content);
      if (shown.length === 0 || (found.size === mostFound && !found.has(line + index))) continue;
      const names = owners.filter((owner) => owner.secrets?.some((secret) => shown.includes(secret)));
      found.set(line + index, new Set([...(found.get(line + index) ?? []), ...names.map(({ name }) => name)]));
    }
  }
}

/** How many lines end before a position. Rejects when the file cannot be read. */
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
