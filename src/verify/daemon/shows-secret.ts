import { setImmediate } from "node:timers/promises";

const pieceLength = 65_536;
/** A spelling that is longer than this is missed where a text is cut. */
const overlap = 4096;

/**
 * Tells whether a text of any length shows a secret. It is searched piece by piece, and other work goes on in between: a MiB takes about
 * 10 ms, and up to a second when all of it is escapes. Rejects only when it is aborted.
 */
export async function showsSecret(
  text: string,
  find: (text: string) => readonly string[],
  signal?: AbortSignal,
): Promise<boolean> {
  for (let start = 0; ; start += pieceLength - overlap) {
    if (find(text.slice(start, start + pieceLength)).length > 0) return true;
    if (start + pieceLength >= text.length) return false;
    await setImmediate(undefined, signal === undefined ? {} : { signal });
  }
}
