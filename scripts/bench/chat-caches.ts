import { sql } from "kysely";
import { createRateLimit } from "../../reference/chat/http/admission.js";
import { openChatDatabase } from "../../reference/chat/storage/database.js";
import { createMemo } from "../../reference/storage/create-memo.js";
import { compare } from "./measure.js";

const rounds = 15;
const calls = 50_000;

/** What the reference server remembers, beside itself with few keys: a ratio that grows with the number of keys is a fault. */
export async function benchChatCaches(): Promise<string[]> {
  const unchanged = { version: () => 0, isInTransaction: () => false };
  const database = openChatDatabase();
  try {
    // The time of each call lets it pass: a refusal takes longer than all else.
    let time = 0;
    const limitOf = () => createRateLimit(1, { now: () => (time += 1000) });
    const memoOf = () => {
      const memo = createMemo<number>(unchanged, 200);
      return (key: number) => memo(String(key), () => key);
    };
    const statement = (shape: number) => database.first(sql`select ${sql.raw(String(shape))}`);
    return [
      await row("rate limit, users", limitOf, 10_000, 200_000),
      await row("remembered answers, keys", memoOf, 100, 10_000),
      await row("prepared statements, shapes kept", () => statement, 10, 500),
    ];
  } finally {
    database.close();
  }
}

/** Calls with keys in turn, so that each call is for the key that was called for least recently. */
async function row(name: string, create: () => (key: number) => unknown, few: number, many: number): Promise<string> {
  const timed = (keys: number) => {
    const call = create();
    let next = 0;
    const loop = (times: number) => {
      for (let time = 0; time < times; time++) call(next++ % keys);
    };
    // Beyond every bound, so that each new key drops another from now on.
    loop(2 * keys);
    return async () => {
      const start = performance.now();
      loop(calls);
      return ((performance.now() - start) / calls) * 1000;
    };
  };
  const { ours, peer, ratio } = await compare(rounds, timed(many), timed(few));
  const [most, least] = [many, few].map((keys) => keys.toLocaleString("en"));
  return `${name}: ${ours.toFixed(2)} µs with ${most}, ${peer.toFixed(2)} µs with ${least}, ratio ${ratio.toFixed(2)}`;
}
