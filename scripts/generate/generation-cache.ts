import { createInputReader } from "../cache/input-files.js";
import { rememberedHashes } from "../cache/remembered-hashes.js";
import { generatedPaths } from "./generated-paths.js";

/** Everything that generation reads, below the root of the project. */
const sources = ["openapi", "proto", "scripts", "src", "accord.yaml", "redocly.yaml", "buf.yaml", "buf.gen.yaml"];

/**
 * Whether the generated files below `root` are what an earlier generation made from the same sources. Results are remembered by content,
 * so copies of the project that share `node_modules` cannot mislead each other.
 */
export async function isKnownResult(root: string): Promise<boolean> {
  return rememberedHashes(root, "generated").has(await hashResult(root));
}

/** Hashes the sources below `root`. */
export function hashSources(root: string): Promise<string> {
  return createInputReader(root).hash({ paths: sources });
}

/**
 * Remembers that the generated files below `root` are the result of the sources with a hash, unless these have changed while the files were
 * generated.
 */
export async function rememberResult(root: string, sourcesHash: string): Promise<void> {
  const result = await hashResult(root);
  if ((await hashSources(root)) === sourcesHash) rememberedHashes(root, "generated").add([result]);
}

function hashResult(root: string): Promise<string> {
  return createInputReader(root).hash({ paths: [...sources, ...generatedPaths] });
}
