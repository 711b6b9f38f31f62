import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import Libsql from "libsql";
import { afterEach, describe, expect, it } from "vitest";
import { createDatabase, type Database } from "../../../reference/storage/database.js";

const opened: { close: () => void }[] = [];
afterEach(() => {
  for (const { close } of opened.splice(0).reverse()) close();
});

/** A database file with a table `t`, and the number of its rows that another connection sees. */
function open(): { database: Database<unknown>; committed: () => number } {
  const folder = mkdtempSync(join(tmpdir(), "accord-commit-"));
  const connection = new Libsql(join(folder, "a.db"));
  connection.pragma("journal_mode = wal");
  connection.exec("create table t (n integer primary key, due integer references t(n) deferrable initially deferred)");
  connection.pragma("foreign_keys = on");
  const other = new Libsql(join(folder, "a.db"));
  const database = createDatabase(connection);
  opened.push({ close: () => rmSync(folder, { recursive: true }) }, { close: () => other.close() }, database);
  return { database, committed: () => (other.prepare("select count(*) as n from t").get() as { n: number }).n };
}

const insert = (n: number, due: number | null = null) => sql`insert into t (n, due) values (${n}, ${due})`;
const count = (database: Database<unknown>) => database.first(sql<{ n: number }>`select count(*) as n from t`)?.n;

describe("the commit group of a database", () => {
  it("commits all writes of one event loop turn together at its end", async () => {
    const { database, committed } = open();
    database.run(insert(1));
    database.transaction(() => database.run(insert(2)));
    expect([count(database), committed()]).toEqual([2, 0]);
    await database.settled();
    expect(committed()).toBe(2);
  });

  it("is settled immediately if nothing was written", async () => {
    await expect(open().database.settled()).resolves.toBeUndefined();
  });

  it("keeps the other writes of the turn if a transaction is rolled back", async () => {
    const { database, committed } = open();
    database.run(insert(1));
    const failing = () =>
      database.transaction(() => {
        database.run(insert(2));
        throw new Error("refused");
      });
    expect(failing).toThrow("refused");
    database.transaction(() => database.run(insert(3)));
    await database.settled();
    expect(committed()).toBe(2);
  });

  it("rolls back a nested transaction with the outer one", async () => {
    const { database, committed } = open();
    const outer = () =>
      database.transaction(() => {
        database.transaction(() => database.run(insert(1)));
        throw new Error("refused");
      });
    expect(outer).toThrow("refused");
    await database.settled();
    expect(committed()).toBe(0);
  });

  it("reports a failed commit to every pending writer and to later callers", async () => {
    const { database, committed } = open();
    const since = database.position();
    // A deferred constraint fails at the commit.
    database.run(insert(1, 99));
    database.run(insert(2));
    await expect(database.settled(since)).rejects.toThrow(/FOREIGN KEY/);
    await expect(database.settled(since)).rejects.toThrow(/FOREIGN KEY/);
    expect([count(database), committed()]).toEqual([0, 0]);
    database.run(insert(3));
    await expect(database.settled()).resolves.toBeUndefined();
    expect(committed()).toBe(1);
  });

  it("accepts no more writes in a turn that SQLite has rolled back", async () => {
    const { database, committed } = open();
    database.run(insert(1));
    expect(() => database.run(sql`insert or rollback into t (n) values (1)`)).toThrow(/UNIQUE/);
    expect(() => database.run(insert(2))).toThrow(/rolled back/);
    await expect(database.settled()).rejects.toThrow();
    expect(committed()).toBe(0);
    database.run(insert(3));
    await database.settled();
    expect(committed()).toBe(1);
  });

  it("commits before the database is closed", () => {
    const { database, committed } = open();
    database.run(insert(1));
    database.close();
    opened.pop();
    expect(committed()).toBe(1);
  });
});
