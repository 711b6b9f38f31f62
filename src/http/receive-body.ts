import type { IncomingMessage } from "node:http";

/** The minimum rate at which a client must send a body. */
export interface BodyPace {
  /** Bytes that must arrive in each window. */
  readonly minBytes: number;
  readonly windowMs: number;
}

/** 1 KiB per 30 seconds, slower than any network that can carry an upload. */
export const defaultBodyPace: BodyPace = { minBytes: 1024, windowMs: 30_000 };

/** The client sent its body more slowly than `BodyPace` allows. */
export class SlowBodyError extends Error {
  override readonly name = "SlowBodyError";

  constructor({ minBytes, windowMs }: BodyPace) {
    super(`The body arrived too slowly; send at least ${minBytes} bytes every ${windowMs / 1000} seconds`);
  }
}

/**
 * The chunks of a request body. Unlike iterating the request itself, ending the iteration early keeps the connection open. Throws a
 * `SlowBodyError` if the client is too slow, and the error of the request if the client disconnects.
 */
export function receiveBody(request: IncomingMessage, pace: BodyPace = defaultBodyPace): AsyncIterable<Buffer> {
  return {
    async *[Symbol.asyncIterator]() {
      // Never call its `return`, which would destroy the request.
      const pieces: AsyncIterator<Buffer> = request[Symbol.asyncIterator]();
      const clock = createPaceClock(pace);
      try {
        for (;;) {
          const { done, value } = await clock.race(pieces.next());
          if (done) return;
          clock.arrived(value.length);
          yield value;
        }
      } finally {
        clock.stop();
      }
    },
  };
}

/** Measures how long the reader waits for the client. Time that the reader spends between chunks does not count. */
function createPaceClock(pace: BodyPace) {
  let missing = pace.minBytes;
  let leftMs = pace.windowMs;
  let timer: NodeJS.Timeout | undefined;

  function race<Result>(next: Promise<Result>): Promise<Result> {
    const startedAt = performance.now();
    return new Promise<Result>((resolve, reject) => {
      timer = setTimeout(() => reject(new SlowBodyError(pace)), leftMs);
      next.then(resolve, reject).finally(() => {
        clearTimeout(timer);
        leftMs -= performance.now() - startedAt;
      });
    });
  }

  function arrived(bytes: number): void {
    missing -= bytes;
    if (missing > 0) return;
    missing = pace.minBytes;
    leftMs = pace.windowMs;
  }

  return { race, arrived, stop: () => clearTimeout(timer) };
}
