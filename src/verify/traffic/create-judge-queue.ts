import { CouldNotRunError } from "../could-not-run-error.js";
import type { RecordedExchange } from "./traffic.js";

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
const maxWaiting = 50_000;
/** The judge does not rest while at least this many bytes of bodies wait. Beyond twice as many, further bodies are not judged. */
const maxWaitingBytes = 128 * 1024 * 1024;

/**
 * Creates a queue that judges when the proxy has nothing else to do, so that judging slows requests down as little as
 * possible. The queue is bounded.
 */
export function createJudgeQueue(judge: (exchange: RecordedExchange) => Promise<unknown>): JudgeQueue {
  const waiting: RecordedExchange[] = [];
  let [first, bytes, lastAdded] = [0, 0, 0];
  let working: Promise<void> | undefined;
  let fault: string | undefined;
  let isDraining = false;
  let wake: (() => void) | undefined;

  function add(exchange: RecordedExchange): void {
    const kept = bytes < 2 * maxWaitingBytes ? exchange : withoutBodies(exchange);
    waiting.push(kept);
    bytes += sizeOf(kept);
    lastAdded = performance.now();
    working ??= work();
  }

  function take(): RecordedExchange | undefined {
    const next = waiting[first];
    if (next === undefined) return undefined;
    bytes -= sizeOf(next);
    // Shifting each would take time proportional to the length of the queue.
    if (++first > 1024 && first * 2 > waiting.length) first -= waiting.splice(0, first).length;
    return next;
  }

  async function work(): Promise<void> {
    await pause(0);
    for (let next = take(); next !== undefined; ) {
      const startedAt = performance.now();
      while (next !== undefined && performance.now() - startedAt < sliceMs) {
        await judge(next).catch((error: unknown) => {
          fault ??= error instanceof Error ? error.message : String(error);
        });
        next = take();
      }
      const now = performance.now();
      const isFull = waiting.length - first > maxWaiting || bytes > maxWaitingBytes;
      const mayRest = !isDraining && !isFull && now - lastAdded < busyMs;
      await pause(mayRest ? (now - startedAt) * restFactor : 0);
      next ??= take();
    }
    waiting.length = 0;
    first = 0;
    working = undefined;
  }

  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      if (ms <= 0) return void setImmediate(resolve);
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
      wake?.();
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
    ...(response === undefined ? {} : { response: { ...response, body: undefined } }),
  };
}
