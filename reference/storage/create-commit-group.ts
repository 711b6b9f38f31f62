import type Libsql from "libsql";

/**
 * Group commit: commits all writes of one event loop turn together, because that costs as much as a single write. Requests that
 * arrive together wait for the disk together.
 */
export interface CommitGroup {
  /** Call it before each write. Throws if SQLite has already rolled back the group, as it does on a full disk. */
  readonly begin: () => void;
  /** Call it with the error of each failed write, which may be why SQLite rolled back the group. */
  readonly failed: (error: unknown) => void;
  /** Commits the open group immediately. */
  readonly end: () => void;
  /** Increases with each commit. */
  readonly position: () => number;
  /** Resolves when all writes so far are on the disk. Rejects if a commit since that position failed and was rolled back. */
  readonly settled: (since: number) => Promise<void>;
}

interface Open {
  readonly timer: NodeJS.Immediate;
  /** The error that made SQLite roll back the group. */
  rollbackCause?: unknown;
  readonly waiting: { readonly resolve: () => void; readonly reject: (error: unknown) => void }[];
}

/** Creates the commit group of a connection. Calls `onRollback` after the writes of a failed commit were rolled back. */
export function createCommitGroup(connection: Libsql.Database, onRollback: () => void): CommitGroup {
  let open: Open | undefined;
  let position = 0;
  let failure: { readonly position: number; readonly error: unknown } | undefined;

  function end(): void {
    if (open === undefined) return;
    const { waiting, timer, rollbackCause } = open;
    clearImmediate(timer);
    open = undefined;
    try {
      if (rollbackCause !== undefined) throw rollbackCause;
      connection.exec("commit");
      for (const { resolve } of waiting) resolve();
    } catch (error) {
      failure = { position, error };
      if (connection.inTransaction) connection.exec("rollback");
      onRollback();
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
        throw new Error("the open commit group was rolled back; no write can join it", {
          cause: open.rollbackCause,
        });
      }
    },
    failed: (error) => {
      if (open !== undefined && !connection.inTransaction) open.rollbackCause ??= error;
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
