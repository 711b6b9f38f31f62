import { once } from "node:events";
import { Worker } from "node:worker_threads";
// The threads need it. Without it the daemon is not to start, rather than to fail when it reads.
import "js-yaml";
import { createBudget } from "../../create-budget.js";
import { type ContentPart, ContentRefused, type FormatName } from "../content.js";
import type { ReaderReply, ReaderRequest } from "./reader.js";

/**
 * Reads the body of a subscription part by part, and gives its format at the end, undefined for an empty subscription. Rejects with a
 * `ContentRefused`, or with the signal's reason.
 */
export type ReadBody = (
  body: Uint8Array,
  signal: AbortSignal,
  add: (part: ContentPart) => void,
) => Promise<FormatName | undefined>;

/** What a thread may take. */
export interface ReaderLimits {
  /** For one body. Content that takes longer is refused, and the thread ended. */
  readonly maxReadMs: number;
  /** `parse-document.ts` keeps documents from getting there. */
  readonly maxHeapMib: number;
}

/** Without work, a thread ends after this time. */
const idleMs = 10_000;

/** Makes a thread that reads one body after the other. It starts when it is needed. */
export function createReaderThread({ maxReadMs, maxHeapMib }: ReaderLimits): ReadBody {
  const queue = createBudget(1, Number.POSITIVE_INFINITY);
  let worker: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;

  function started(): Worker {
    if (worker !== undefined) return worker;
    const next = startReader(maxHeapMib);
    // Whoever waits for an answer hears of an error as well; without a listener, it would end the process.
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

/** Reads a body on one of the two threads that everything in the process shares. Small bodies do not wait for large ones. */
export const readInThread: ReadBody = (body, signal, add) =>
  (body.length > maxLightBytes ? readHeavy : readLight)(body, signal, add);

function startReader(maxHeapMib: number): Worker {
  const file = import.meta.url.endsWith(".ts") ? "reader-from-source.mjs" : "reader.js";
  return new Worker(new URL(file, import.meta.url), {
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
  // A body may lie in a buffer that others share.
  const copy = new Uint8Array(body);
  for (let reply = await ask({ kind: "read", body: copy }, [copy.buffer]); ; reply = await ask({ kind: "go-on" })) {
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
