import type { FileHandle } from "node:fs/promises";
import { createFinder, maxSpellingLength } from "../../secrets/find-secrets.js";

/** A case and its secrets. */
export interface SecretOwner {
  readonly name: string;
  readonly secrets?: readonly string[];
}

/** The secrets found in a part of a file. */
export interface FileScan {
  /** The first 100 lines with secrets, in order, and the cases that these belong to. Line 1 is the first of the part. */
  readonly found: readonly { readonly line: number; readonly cases: readonly string[] }[];
  readonly bytes: number;
  /** Whether the file continues after the part. */
  readonly hasMore: boolean;
}

/** The maximum number of lines that are reported. */
export const maxFound = 100;
const pieceBytes = 65_536;

/** Searches at most `maxBytes` of a file for the secrets of cases, from a position on. Rejects if the file is unreadable. */
export async function scanFile(
  file: FileHandle,
  from: number,
  maxBytes: number,
  owners: readonly SecretOwner[],
): Promise<FileScan> {
  const find = createFinder(owners.flatMap(({ secrets = [] }) => secrets));
  const secretsByLine = new Map<number, Set<string>>();
  let lastLine = 0;
  // Nothing that follows the last reported line is reported.
  const isBeyond = (line: number) => secretsByLine.size === maxFound && line > lastLine;
  let firstLine = 1;
  let length = 0;
  let searched = "";
  for await (const piece of piecesOf(file, from, from + maxBytes)) {
    length += piece.length;
    if (isBeyond(firstLine)) continue;
    // A spelling may begin at the end of the previous piece.
    const bytes = searched.slice(-maxSpellingLength) + piece;
    firstLine += countNewlines(searched.slice(0, -maxSpellingLength));
    searched = bytes;
    let line = firstLine;
    let counted = 0;
    // The plain bytes are searched before the decoded ones.
    for (const { start, secret } of find(bytes).toSorted((a, b) => a.start - b.start)) {
      line += countNewlines(bytes.slice(counted, start));
      counted = start;
      if (isBeyond(line)) break;
      const secrets = secretsByLine.get(line);
      if (secrets !== undefined) secrets.add(secret);
      else if (secretsByLine.size < maxFound) {
        secretsByLine.set(line, new Set([secret]));
        lastLine = Math.max(lastLine, line);
      }
    }
  }
  const casesOf = (shown: ReadonlySet<string>) =>
    owners.filter(({ secrets = [] }) => secrets.some((secret) => shown.has(secret))).map(({ name }) => name);
  return {
    found: [...secretsByLine].sort(([a], [b]) => a - b).map(([line, shown]) => ({ line, cases: casesOf(shown) })),
    bytes: length,
    hasMore: (await file.stat()).size > from + length,
  };
}

/** Counts the newlines before a position. Rejects if the file is unreadable. */
export async function countLines(file: FileHandle, before: number): Promise<number> {
  let lines = 0;
  for await (const piece of piecesOf(file, 0, before)) lines += countNewlines(piece);
  return lines;
}

async function* piecesOf(file: FileHandle, from: number, to: number): AsyncGenerator<string> {
  const piece = Buffer.alloc(pieceBytes);
  for (let position = from; ; ) {
    const { bytesRead } = await file.read(piece, 0, Math.min(pieceBytes, to - position), position);
    if (bytesRead === 0) return;
    position += bytesRead;
    yield piece.toString("latin1", 0, bytesRead);
  }
}

function countNewlines(bytes: string): number {
  let lines = 0;
  for (let at = bytes.indexOf("\n"); at >= 0; at = bytes.indexOf("\n", at + 1)) lines += 1;
  return lines;
}
