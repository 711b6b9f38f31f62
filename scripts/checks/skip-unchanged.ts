import { createInputReader, type InputReader } from "../cache/input-files.js";
import { rememberedHashes } from "../cache/remembered-hashes.js";
import type { ProjectCheck } from "./project-check.js";

/** Command lines have a maximum length. */
const maxNamedFiles = 200;

/**
 * Changes checks so that they skip what passed before on the same inputs: the whole check, or single files. A pass is remembered only if the
 * inputs are the same before and after it, and a failure never. In CI and with `--no-cache`, everything runs.
 */
export function skipUnchanged(checks: readonly ProjectCheck[], root: string): ProjectCheck[] {
  const reader = createInputReader(root);
  return checks.map((check) => {
    const { name, inputs, run } = check;
    if (inputs === undefined) return check;
    return {
      ...check,
      run: async () => {
        const remembered = rememberedHashes(root, `passed-${name}`);
        const before = await hashParts(check, reader).catch(() => undefined);
        // A module with a syntax error does not show what it imports.
        if (before === undefined) return run();
        const changed = [...before].filter(([, hash]) => !remembered.has(hash));
        if (changed.length === 0) return { ok: true, detail: "unchanged" };
        const files = check.eachFileOf === undefined || changed.length > maxNamedFiles ? undefined : changed;
        const result = await run(files?.map(([file]) => file));
        if (!result.ok) return result;
        const after = await hashParts(check, createInputReader(root));
        remembered.add(changed.filter(([file, hash]) => after.get(file) === hash).map(([, hash]) => hash));
        return files === undefined ? result : { ...result, detail: `changed files: ${files.length}` };
      },
    };
  });
}

/** Returns hashes by name of the parts of a check that pass or fail independently: each file of `eachFileOf`, or else everything. */
export async function hashParts(
  { inputs, eachFileOf }: ProjectCheck,
  reader: InputReader,
): Promise<Map<string, string>> {
  const shared = await reader.hash(inputs ?? { paths: [] });
  if (eachFileOf === undefined) return new Map([["everything", shared]]);
  return new Map(
    [...reader.hashEach(eachFileOf)].map(([file, hash]) => [file, `${shared.slice(0, 32)}${hash.slice(0, 32)}`]),
  );
}
