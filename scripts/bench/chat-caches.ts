import { createRateLimit } from "../../reference/chat/http/rate-limit.js";
import { compare } from "./measure.js";

const rounds = 15;
const calls = 50_000;

/** The caches of the reference server with many keys and with few: a ratio that grows with the number of keys is a bug. */
export async function benchChatCaches(): Promise<string[]> {
  // The clock advances so that each call passes, because a rejected call takes much longer.
  let time = 0;
  const limitOf = () => {
    const limit = createRateLimit(1, { now: () => (time += 1000) });
    return (id: number) => limit({ id, realm_id: 1 });
  };
  return [await row("rate limit, users", limitOf, 10_000, 200_000)];
}

/** Calls with each key in turn, so that each call uses the least recently used key. */
async function row(name: string, create: () => (key: number) => unknown, few: number, many: number): Promise<string> {
  const timed = (keys: number) => {
    const call = create();
    let next = 0;
    const loop = (times: number) => {
      for (let time = 0; time < times; time++) call(next++ % keys);
    };
    // Exceeds the size of the cache, so that each further key evicts another.
    loop(2 * keys);
    return async () => {
      const start = performance.now();
      loop(calls);
      return ((performance.now() - start) / calls) * 1000;
    };
  };
  const { ours, peer, ratio } = await compare(rounds, timed(many), timed(few));
  const [manyText, fewText] = [many, few].map((keys) => keys.toLocaleString("en"));
  return `${name}: ${ours.toFixed(2)} µs with ${manyText}, ${peer.toFixed(2)} µs with ${fewText}, ratio ${ratio.toFixed(2)}`;
}
