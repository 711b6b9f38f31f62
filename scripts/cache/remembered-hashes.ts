import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseJson } from "../../src/base/parse-json.js";

/** Enough for every file of the project on a few branches, so that changing branches stays fast. */
const maxHashes = 10_000;

/** Hashes of inputs that gave a good result, kept between runs in a file below `node_modules`. */
export interface RememberedHashes {
  readonly has: (hash: string) => boolean;
  readonly add: (hashes: readonly string[]) => void;
}

/** Opens the hashes of a purpose. A missing or damaged file has none. */
export function rememberedHashes(root: string, purpose: string): RememberedHashes {
  const file = join(root, `node_modules/.cache/accord/${purpose.toLowerCase().replaceAll(/[^a-z]+/g, "-")}.json`);
  const known = new Set(readHashes(file));
  return {
    has: (hash) => known.has(hash),
    add: (hashes) => {
      // Another process may have added some in the meantime.
      const kept = [...new Set([...hashes, ...readHashes(file)])].slice(0, maxHashes);
      // Another process may read the file at any time.
      const written = `${file}.${process.pid}`;
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(written, JSON.stringify(kept));
      renameSync(written, file);
    },
  };
}

function readHashes(file: string): unknown[] {
  try {
    const hashes = parseJson(readFileSync(file, "utf8"));
    return Array.isArray(hashes) ? hashes : [];
  } catch {
    return [];
  }
}
