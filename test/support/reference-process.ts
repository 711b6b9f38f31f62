import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type RunningAccord, startAccord } from "./run-accord.js";

/** A reference server in a child process. */
export interface ReferenceProcess extends RunningAccord {
  readonly url: string;
}

/** Starts `accord serve chat` on a free port and waits until it listens. Rejects if it exits first. */
export async function startReferenceProcess(...args: string[]): Promise<ReferenceProcess> {
  const running = startAccord("serve", "chat", "--port", "0", ...args);
  const [, url = ""] = await running.printed(/chat server +(\S+)\/api\/v1\n/);
  return { ...running, url };
}

/** A folder that is removed at the end of the scope: `using folder = temporaryFolder()`. */
export function temporaryFolder(): Disposable & { readonly path: string; readonly inside: (name: string) => string } {
  const path = mkdtempSync(join(tmpdir(), "accord-reference-"));
  return {
    path,
    inside: (name) => join(path, name),
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  };
}
