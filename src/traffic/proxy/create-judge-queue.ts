import { setImmediate as nextTurn } from "node:timers/promises";
import { CouldNotRunError } from "../../base/could-not-run-error.js";
import type { RecordedExchange } from "../recorded/recorded-exchange.js";

/** Judges exchanges one after the other while a proxy forwards others. */
export interface JudgeQueue {
  readonly add: (exchange: RecordedExchange) => void;
  /** Judges all waiting exchanges. */
  readonly drain: () => Promise<void>;
  /** Throws a `CouldNotRunError` if the judge failed on an exchange. */
  readonly requireFaultless: () => void;
}

/** How long the judge works at a time, in milliseconds, because requests wait meanwhile. */
const sliceMs = 1;
/** While requests arrive, the judge rests this many times as long as it has worked. */
const restFactor = 19;
/** The proxy counts as busy for this time after an exchange. */
const busyMs = 5;
/** The judge does not rest while at least this many exchanges wait. */
export const maxWaiting = 50_000;
/** The judge does not rest while at least this many bytes of bodies wait. Beyond twice as many, further bodies are not judged. */
export const maxWaitingBytes = 128 * 1024 * 1024;

/**
 * Creates a queue that judges when the proxy has nothing else to do, so that judging slows requests down as little as
 * possible. The queue is bounded.
 */
export function createJudgeQueue(judge: (exchange: RecordedExchange) => Promise<unknown>): JudgeQueue {
  const waiting = new Set<RecordedExchange>();
  let [bytes, lastAdded, isDraining] = [0, 0, false];
  let working: Promise<void> | undefined;
  let fault: string | undefined;
  let wake = () => {};

  function add(exchange: RecordedExchange): void {
    const kept = bytes < 2 * maxWaitingBytes ? exchange : withoutBodies(exchange);
    waiting.add(kept);
    bytes += sizeOf(kept);
    lastAdded = performance.now();
    working ??= work();
  }

  async function work(): Promise<void> {
    await nextTurn();
    let startedAt = performance.now();
    for (const exchange of waiting) {
      waiting.delete(exchange);
      bytes -= sizeOf(exchange);
      await judge(exchange).catch((error: unknown) => {
        fault ??= error instanceof Error ? error.message : String(error);
      });
      const now = performance.now();
      if (now - startedAt < sliceMs) continue;
      const isFull = waiting.size > maxWaiting || bytes > maxWaitingBytes;
      const mayRest = !isDraining && !isFull && now - lastAdded < busyMs;
      await (mayRest ? rest((now - startedAt) * restFactor) : nextTurn());
      startedAt = performance.now();
    }
    working = undefined;
  }

  function rest(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  return {
    add,
    drain: async () => {
      isDraining = true;
      wake();
      while (working !== undefined) await working;
      isDraining = false;
    },
    requireFaultless: () => {
      if (fault === undefined) return;
      throw new CouldNotRunError(
        `A fault of this package, not of the client or server, kept exchanges from being judged: ${fault}`,
      );
    },
  };
}

function sizeOf({ request, response }: RecordedExchange): number {
  return (request.body?.length ?? 0) + (response?.body?.length ?? 0);
}

function withoutBodies({ request, response, ...rest }: RecordedExchange): RecordedExchange {
  return {
    ...rest,
    request: { ...request, body: undefined },
    response: response && { ...response, body: undefined },
  };
}
