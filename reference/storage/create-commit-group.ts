import type Libsql from "libsql";

/**
 * Puts all that is written in one turn of the event loop on the disk in one commit, because that costs as much as one write: the
 * requests that arrive together wait for the disk together (group commit).
 */
export interface CommitGroup {
  /** Called before each write. Throws when SQLite has undone the group by itself, as it does when the disk is full. */
  readonly begin: () => void;
  /** Told of the error of each write that failed, which may be why SQLite has undone the group. */
  readonly failed: (error: unknown) => void;
  /** Commits what is open at once. */
  readonly end: () => void;
  /** Grows with each commit. */
  readonly position: () => number;
  /**
   * Resolves when everything written so far is on the disk. Rejects when a commit since that position failed, whose writes are
   * undone.
   */
  readonly settled: (since: number) => Promise<void>;
}

interface Open {
  readonly timer: NodeJS.Immediate;
  /** Why SQLite has undone the group by itself. */
  undoneBy?: unknown;
  readonly waiting: { readonly resolve: () => void; readonly reject: (error: unknown) => void }[];
}

/** Makes the commit group of a connection. `onUndone` is called when the writes of a commit that failed are gone. */
export function createCommitGroup(connection: Libsql.Database, onUndone: () => void): CommitGroup {
  let open: Open | undefined;
  let position = 0;
  let failure: { readonly position: number; readonly error: unknown } | undefined;

  function end(): void {
    if (open === undefined) return;
    const { waiting, timer, undoneBy } = open;
    clearImmediate(timer);
    open = undefined;
    try {
      if (undoneBy !== undefined) throw undoneBy;
      connection.exec("commit");
      for (const { resolve } of waiting) resolve();
    } catch (error) {
      failure = { position, error };
      if (connection.inTransaction) connection.exec("rollback");
      onUndone();
      for (const { reject } of waiting) reject(error);
    }
    position++;
  }

  return {
    begin: () => {
      if (open === undefined) {
        connection.exec("begin immediate");
        open = { timer: setImmediate(end), waiting: [] };
      } else if (!connection.inTransaction) {
        throw new Error("what was written in this turn is undone; nothing can be added to it", {
          cause: open.undoneBy,
        });
      }
    },
    failed: (error) => {
      if (open !== undefined && !connection.inTransaction) open.undoneBy ??= error;
    },
    end,
    position: () => position,
    settled: (since) => {
      if (failure !== undefined && failure.position >= since) return Promise.reject(failure.error);
      const current = open;
      if (current === undefined) return Promise.resolve();
      return new Promise((resolve, reject) => current.waiting.push({ resolve, reject }));
    },
  };
}
