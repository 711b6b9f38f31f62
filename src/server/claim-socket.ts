import { linkSync, lstatSync, renameSync, rmSync, unlinkSync } from "node:fs";
import { connect } from "node:net";
import { ListenError } from "../base/listen.js";

const successor = "~";
/** Maximum number of consecutive successors. Each belongs to a process that died while it replaced the previous one. */
const maxSuccessors = 3;

/** The maximum length that the additional names add to the path of the socket. */
export const claimNameBytes = Math.max(maxSuccessors * successor.length, privateName("").length);

/** A name next to `path` under which a socket can listen before it claims `path`. */
export function privateName(path: string): string {
  return `${path}.${Math.random().toString(36).slice(2, 6).padEnd(4, "0")}`;
}

/**
 * Gives the socket at `own`, which must already be listening, the name `path`. At any time at most one listening socket
 * has that name. Rejects with a `ListenError` if another process listens there, or if another kind of file is in the
 * way.
 *
 * A stale socket must not be removed by its name: between the check and the removal, another process may have replaced
 * it. Therefore only the process whose listening socket has the name `path~` may replace a stale `path`, and it does so
 * by renaming `path~`. `link` creates the names, because it fails if the name exists. A process that dies in between
 * leaves a stale `path~`, which is replaced in the same way.
 */
export async function claimSocket(own: string, path: string, successors = 0): Promise<void> {
  while (!linked(own, path)) {
    const state = await stateOf(path);
    if (state === "listening") throw inUse(path.slice(0, path.length - successors * successor.length));
    if (state === "absent") continue;
    if (successors === maxSuccessors)
      throw new ListenError(`Several processes died while they took over the socket. Remove ${path} and try again`);
    const next = path + successor;
    await claimSocket(own, next, successors + 1);
    if ((await stateOf(path)) === "stale") {
      renameSync(next, path);
      break;
    }
    unlinkSync(next);
  }
}

/** Removes the name `path` of the listening socket with this inode, unless another process has given it to its own socket. */
export function releaseSocket(path: string, inode: number): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.ino === inode) rmSync(path, { force: true });
}

function linked(own: string, path: string): boolean {
  try {
    linkSync(own, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    return false;
  }
}

/** A stale socket stays stale, because the process that listened on it is dead. */
async function stateOf(path: string): Promise<"absent" | "stale" | "listening"> {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return "absent";
  if (!found.isSocket()) throw new ListenError(`${path} exists and is not a socket. Remove it, or choose another path`);
  const refusal = await new Promise<string | undefined>((done) => {
    const probe = connect(path, () => {
      probe.destroy();
      done(undefined);
    });
    probe.once("error", (error: NodeJS.ErrnoException) => done(error.code));
  });
  if (refusal === "ENOENT") return "absent";
  return refusal === "ECONNREFUSED" ? "stale" : "listening";
}

function inUse(path: string): ListenError {
  return new ListenError(`The socket ${path} is already in use. Stop what listens there, or choose another path`);
}
