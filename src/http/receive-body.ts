import type { IncomingMessage } from "node:http";

/** How slowly a client may send a body. */
export interface BodyPace {
  /** Bytes that must arrive in each window. */
  readonly minBytes: number;
  readonly windowMs: number;
}

/** 1 KiB in each half minute: slower than any network that can carry an upload. */
export const usualBodyPace: BodyPace = { minBytes: 1024, windowMs: 30_000 };

/** The client sends its body more slowly than `BodyPace` allows. */
export class SlowBodyError extends Error {
  override readonly name = "SlowBodyError";

  constructor({ minBytes, windowMs }: BodyPace) {
    super(`The body arrived too slowly: at least ${minBytes} bytes are expected in each ${windowMs / 1000} seconds`);
  }
}

/**
 * The body of a request, piece by piece. A reader may stop at any time without closing the connection, which iterating the request
 * itself would do. Throws a `SlowBodyError` when the client does not keep the pace, and what the request throws when the client goes away.
 */
export function receiveBody(request: IncomingMessage, pace: BodyPace = usualBodyPace): AsyncIterable<Buffer> {
  return {
    async *[Symbol.asyncIterator]() {
      // Its `return`, which would destroy the request, is never called.
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

/** Measures the pace while the reader waits for the client. The time that the reader itself takes does not count. */
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
