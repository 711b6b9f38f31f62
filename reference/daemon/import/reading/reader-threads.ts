import { once } from "node:events";
import { Worker } from "node:worker_threads";
// The threads need it. If it is missing, the daemon fails at start-up instead of at its first import.
import "js-yaml";
import { createBudget } from "../../create-budget.js";
import { type ContentPart, ContentRefused, type FormatName } from "../content.js";
import type { ReaderReply, ReaderRequest } from "./reader.js";
import { readerFile } from "./reader-file.js";

/**
 * Reads the body of a subscription, and passes its entries in parts to `add`. Resolves to the format; undefined for an
 * empty subscription. Rejects with a `ContentRefused`, or with the signal's reason.
 */
export type ReadBody = (
  body: Uint8Array,
  signal: AbortSignal,
  add: (part: ContentPart) => void,
) => Promise<FormatName | undefined>;

/** Limits of a thread. */
export interface ReaderLimits {
  /** Time limit for one body. If it is exceeded, the content is refused and the thread ends. */
  readonly maxReadMs: number;
  /** The bounds in `parse-document.ts` normally keep documents below this. */
  readonly maxHeapMib: number;
}

/** An idle thread ends after this time. */
const idleMs = 10_000;

/** Creates a thread that reads one body at a time. It starts on demand. */
export function createReaderThread({ maxReadMs, maxHeapMib }: ReaderLimits): ReadBody {
  const queue = createBudget(1, Number.POSITIVE_INFINITY);
  let worker: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;

  function started(): Worker {
    if (worker !== undefined) return worker;
    const next = startReader(maxHeapMib);
    // Pending reads are rejected with this error anyway. Without a listener, it would end the process.
    next.on("error", () => {});
    next.once("exit", () => {
      if (worker === next) worker = undefined;
    });
    worker = next;
    return next;
  }

  async function end(): Promise<void> {
    const ended = worker;
    worker = undefined;
    await ended?.terminate();
  }

  return async (body, signal, add) => {
    const leave = await queue.take(1, signal);
    clearTimeout(idle);
    const reader = started();
    reader.ref();
    try {
      return await readWith(reader, body, AbortSignal.any([signal, AbortSignal.timeout(maxReadMs)]), add);
    } catch (error) {
      if (!(error instanceof ContentRefused)) await end();
      if (signal.aborted) throw signal.reason;
      throw isOverLimit(error) ? new ContentRefused("too-complex") : error;
    } finally {
      reader.unref();
      idle = setTimeout(end, idleMs).unref();
      leave();
    }
  };
}

const maxLightBytes = 512 * 1024;
const readLight = createReaderThread({ maxReadMs: 20_000, maxHeapMib: 256 });
const readHeavy = createReaderThread({ maxReadMs: 20_000, maxHeapMib: 320 });

/** Reads a body on one of two threads that the whole process shares. Small bodies do not wait for large ones. */
export const readInThread: ReadBody = (body, signal, add) =>
  (body.length > maxLightBytes ? readHeavy : readLight)(body, signal, add);

function startReader(maxHeapMib: number): Worker {
  return new Worker(readerFile, {
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMib },
  });
}

async function readWith(
  worker: Worker,
  body: Uint8Array,
  signal: AbortSignal,
  add: (part: ContentPart) => void,
): Promise<FormatName | undefined> {
  const ask = async (request: ReaderRequest, moved: ArrayBuffer[] = []): Promise<ReaderReply> => {
    const answer = once(worker, "message", { signal });
    worker.postMessage(request, moved);
    return (await answer)[0];
  };
  // Copied, because the body may be in a shared buffer.
  const copy = new Uint8Array(body);
  for (let reply = await ask({ kind: "read", body: copy }, [copy.buffer]); ; reply = await ask({ kind: "continue" })) {
    switch (reply.kind) {
      case "part":
        add(reply);
        break;
      case "end":
        return reply.format;
      case "refused":
        throw new ContentRefused(reply.reason);
      case "failed":
        throw Object.assign(new Error("Reading a subscription failed"), {
          name: reply.name,
          stack: [reply.name, ...reply.frames].join("\n"),
        });
    }
  }
}

function isOverLimit(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = "code" in error ? error.code : undefined;
  return error.name === "AbortError" || code === "ERR_WORKER_OUT_OF_MEMORY";
}
