import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** A folder that replaces the temporary folder of the system, to find leftover files. */
export interface OwnTemporaryFolder {
  readonly path: string;
  /** Its entries, except the cache of the compiler. */
  readonly files: () => string[];
}

/** Makes this process use a separate temporary folder until the end of the test. */
export function useOwnTemporaryFolder(): OwnTemporaryFolder {
  const { TMPDIR } = process.env;
  const path = mkdtempSync(join(tmpdir(), "accord-test-"));
  process.env.TMPDIR = path;
  onTestFinished(() => {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
    rmSync(path, { recursive: true, force: true });
  });
  return {
    path,
    files: () => readdirSync(path).filter((name) => !name.startsWith("tsx-")),
  };
}
