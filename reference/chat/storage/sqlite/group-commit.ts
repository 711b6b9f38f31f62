import type Libsql from "libsql";
import { createPool } from "./pool.js";

/**
 * Transactions of the only connection that writes. One runs at a time, and those of one event loop turn are committed together,
 * because a commit waits for the disk, whatever its size.
 */
export interface GroupCommit {
  /** Begins a transaction. Resolves when no other one is running. */
  readonly begin: () => Promise<void>;
  /** Ends a transaction. Resolves when its writes are on the disk; rejects if the commit failed and was rolled back. */
  readonly commit: () => Promise<void>;
  readonly rollback: () => Promise<void>;
  /** Call it with the error of each failed statement, which may be why SQLite rolled back the group. */
  readonly failed: (error: unknown) => void;
  /** Commits what is left. */
  readonly end: () => Promise<void>;
}

/** Transactions that are committed together. */
interface Group {
  readonly settled: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Creates the transactions of a connection. */
export function createGroupCommit(connection: Libsql.Database): GroupCommit {
  // Whoever holds the turn may write.
  const turns = createPool(1, () => connection);
  let group: Group | undefined;

  function failed(error: unknown): void {
    // SQLite rolls back the whole group by itself on a full disk, for example.
    if (connection.inTransaction) return;
    group?.reject(error);
    group = undefined;
  }

  function undo(): void {
    try {
      if (connection.inTransaction) connection.exec("rollback to work; release work");
    } finally {
      turns.give(connection);
    }
  }

  async function commitGroup(): Promise<void> {
    await turns.take();
    const ended = group;
    group = undefined;
    try {
      if (ended !== undefined) connection.exec("commit");
      ended?.resolve();
    } catch (error) {
      if (connection.inTransaction) connection.exec("rollback");
      ended?.reject(error);
    } finally {
      turns.give(connection);
    }
  }

  return {
    begin: async () => {
      await turns.take();
      try {
        if (group === undefined) {
          connection.exec("begin immediate");
          group = createGroup();
          setImmediate(() => void commitGroup());
        }
        connection.exec("savepoint work");
      } catch (error) {
        turns.give(connection);
        throw error;
      }
    },
    commit: async () => {
      const settled = group?.settled;
      try {
        connection.exec("release work");
      } catch (error) {
        failed(error);
        undo();
        throw error;
      }
      turns.give(connection);
      await settled;
    },
    rollback: async () => undo(),
    failed,
    end: commitGroup,
  };
}

function createGroup(): Group {
  let resolve = () => {};
  let reject: (error: unknown) => void = () => {};
  const settled = new Promise<void>((onSuccess, onFailure) => {
    resolve = onSuccess;
    reject = onFailure;
  });
  // Nobody waits for a group whose transactions were all rolled back.
  settled.catch(() => {});
  return { settled, resolve, reject };
}
