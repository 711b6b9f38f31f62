import { parentPort } from "node:worker_threads";
import { type ContentPart, ContentRefused, type FormatName, type RefusalReason } from "../content.js";
import { readContent } from "./read-content.js";

/**
 * Requests to start reading a body or to continue. Each part is requested separately, so that parts do not accumulate.
 */
export type ReaderRequest = { readonly kind: "read"; readonly body: Uint8Array } | { readonly kind: "continue" };

/** The result of a request. An error has only its name and stack frames, because its message may quote content. */
export type ReaderReply =
  | ({ readonly kind: "part" } & ContentPart)
  | { readonly kind: "end"; readonly format: FormatName | undefined }
  | { readonly kind: "refused"; readonly reason: RefusalReason }
  | { readonly kind: "failed"; readonly name: string; readonly frames: readonly string[] };

// A thread that reads one subscription at a time.
let reading: ReturnType<typeof readContent> | undefined;
parentPort?.on("message", (request: ReaderRequest) => {
  if (request.kind === "read") reading = readContent(request.body);
  const reply = nextReply();
  if (reply.kind !== "part") reading = undefined;
  parentPort?.postMessage(reply);
});

function nextReply(): ReaderReply {
  try {
    const next = reading?.next();
    if (next === undefined || next.done) return { kind: "end", format: next?.value };
    return { kind: "part", ...next.value };
  } catch (error) {
    if (error instanceof ContentRefused) return { kind: "refused", reason: error.reason };
    const { name, stack = "" } = error instanceof Error ? error : new Error();
    return { kind: "failed", name, frames: stack.split("\n").filter((line) => /^ {4}at /.test(line)) };
  }
}
