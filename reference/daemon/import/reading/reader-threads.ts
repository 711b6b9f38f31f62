import { once } from "node:events";
import { Worker } from "node:worker_threads";
// The threads need it. If it is missing, the daemon fails at start-up instead of at its first import.
import "js-yaml";
import { createSlots } from "../../create-slots.js";
import { type ContentPart, ContentRefused, type FormatName } from "../content.js";
import { maxSmallBytes } from "../fetch/read-body.js";
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
  const slots = createSlots(1, Number.POSITIVE_INFINITY);
  let worker: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;

  function start(): Worker {
    const started = new Worker(readerFile, { execArgv: [], resourceLimits: { maxOldGenerationSizeMb: maxHeapMib } });
    // Pending reads are rejected with this error anyway. Without a listener, it would end the process.
    started.on("error", () => {});
    started.once("exit", () => {
      if (worker === started) worker = undefined;
    });
    worker = started;
    return started;
  }

  async function end(): Promise<void> {
    const ended = worker;
    worker = undefined;
    await ended?.terminate();
  }

  return async (body, signal, add) => {
    const leave = await slots.take(signal);
    clearTimeout(idle);
    const reader = worker ?? start();
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

const readSmall = createReaderThread({ maxReadMs: 20_000, maxHeapMib: 256 });
const readLarge = createReaderThread({ maxReadMs: 20_000, maxHeapMib: 320 });

/** Reads a body on one of two threads that the whole process shares. Small bodies do not wait for large ones. */
export const readInThread: ReadBody = (body, signal, add) =>
  (body.length > maxSmallBytes ? readLarge : readSmall)(body, signal, add);

async function readWith(
  worker: Worker,
  body: Uint8Array,
  signal: AbortSignal,
  add: (part: ContentPart) => void,
): Promise<FormatName | undefined> {
  const ask = async (request: ReaderRequest): Promise<ReaderReply> => {
    const reply = once(worker, "message", { signal });
    worker.postMessage(request);
    return (await reply)[0];
  };
  for (let reply = await ask(body); ; reply = await ask(undefined)) {
    if (reply.kind === "end") return reply.format;
    if (reply.kind === "refused") throw new ContentRefused(reply.reason);
    if (reply.kind === "failed") throw new Error("Reading a subscription failed");
    add(reply);
  }
}

function isOverLimit(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.name === "AbortError" || ("code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY");
}
