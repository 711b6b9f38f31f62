import type { Locker } from "@tus/server";
import { ERRORS } from "@tus/server";

interface Holder {
  readonly requestRelease: () => Promise<void> | void;
  readonly released: Promise<void>;
  readonly release: () => void;
}

/** How long a request waits for another one on the same upload. */
const longestWaitMs = 30_000;

/** Makes the locks of resumable uploads: one request at a time for each. A request that has to wait asks the other one to end. */
export function createLocker(): Locker {
  const holders = new Map<string, Holder>();
  return {
    newLock: (id) => ({
      lock: async (signal, requestRelease) => {
        const enough = AbortSignal.any([signal, AbortSignal.timeout(longestWaitMs)]);
        for (let holder = holders.get(id); holder !== undefined; holder = holders.get(id)) {
          await holder.requestRelease();
          await endOf(holder.released, enough);
          if (signal.aborted) throw ERRORS.ABORTED;
          if (enough.aborted) throw { status_code: 423, body: "Another request works on this upload" };
        }
        let release = () => {};
        const released = new Promise<void>((resolve) => {
          release = resolve;
        });
        holders.set(id, { requestRelease, released, release });
      },
      unlock: async () => {
        const holder = holders.get(id);
        holders.delete(id);
        holder?.release();
      },
    }),
  };
}

/** Resolves when the promise does, or the signal is aborted. */
function endOf(promise: Promise<void>, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      signal.removeEventListener("abort", done);
      resolve();
    };
    signal.addEventListener("abort", done);
    void promise.then(done);
  });
}
