import { sql } from "kysely";
import Libsql from "libsql";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createMemo } from "../../../reference/storage/create-memo.js";
import { createDatabase, type Database, reusableQuery } from "../../../reference/storage/database.js";

let database: Database<unknown>;
beforeEach(() => {
  database = createDatabase(new Libsql(":memory:"));
  database.execute("create table t (n integer)");
});
afterEach(() => database.close());

const insert = (n: number) => database.run(sql`insert into t (n) values (${n})`);
const sum = () => database.first(sql<{ n: number }>`select sum(n) as n from t`)?.n ?? 0;

describe("a memo", () => {
  it("computes once per key between writes", () => {
    const memo = createMemo<string>(database, 10);
    let computed = 0;
    const ask = (key: string) => memo(key, () => `${key}${++computed}`);
    expect([ask("a"), ask("a"), ask("b"), ask("a")]).toEqual(["a1", "a1", "b2", "a1"]);
  });

  it("never returns a value from before a write", async () => {
    const memo = createMemo<number>(database, 10);
    insert(1);
    expect(memo("sum", sum)).toBe(1);
    insert(2);
    expect(memo("sum", sum)).toBe(3);
    database.transaction(() => insert(4));
    expect(memo("sum", sum)).toBe(7);
    await database.settled();
    expect(memo("sum", sum)).toBe(7);
  });

  it("does not cache reads in a transaction that is rolled back", () => {
    const memo = createMemo<number>(database, 10);
    insert(1);
    const failing = () =>
      database.transaction(() => {
        insert(10);
        expect(memo("sum", sum)).toBe(11);
        throw new Error("refused");
      });
    expect(failing).toThrow("refused");
    expect(memo("sum", sum)).toBe(1);
  });

  it("evicts the least recently used value, and does not cache undefined", () => {
    const memo = createMemo<number | undefined>(database, 2);
    const computed: string[] = [];
    const ask = (key: string, value?: number) =>
      memo(key, () => {
        computed.push(key);
        return value;
      });
    for (const key of ["a", "b", "a", "c", "a", "b"]) ask(key, 1);
    ask("none");
    ask("none");
    expect(computed).toEqual(["a", "b", "c", "b", "none", "none"]);
  });
});

describe("a reusable query", () => {
  it("accepts other values each time, of any order and type", () => {
    const find = reusableQuery(
      (least: number, most: number | null) => sql<{ n: number }>`
      select n from t where n >= ${least} and n <= coalesce(${most}, 99) and ${least} < 50 order by n`,
    );
    for (const n of [1, 2, 3]) insert(n);
    const found = (least: number, most: number | null) => database.all(find(least, most)).map(({ n }) => n);
    expect([found(2, 3), found(1, 1), found(1, null), found(60, null)]).toEqual([[2, 3], [1], [1, 2, 3], []]);
  });
});
