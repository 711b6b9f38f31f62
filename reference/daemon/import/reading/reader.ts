import { parentPort } from "node:worker_threads";
import { type ContentPart, ContentRefused, type FormatName, type RefusalReason } from "../content.js";
import { readContent } from "./read-content.js";

/** A body to read, or undefined to continue. Each part is requested separately, so that parts do not accumulate. */
export type ReaderRequest = Uint8Array | undefined;

/** The result of a request. A failure has no details, because the message of an error may quote content. */
export type ReaderReply =
  | ({ readonly kind: "part" } & ContentPart)
  | { readonly kind: "end"; readonly format: FormatName | undefined }
  | { readonly kind: "refused"; readonly reason: RefusalReason }
  | { readonly kind: "failed" };

// A thread that reads one subscription at a time.
let reading: ReturnType<typeof readContent> | undefined;
parentPort?.on("message", (request: ReaderRequest) => {
  if (request !== undefined) reading = readContent(request);
  parentPort?.postMessage(nextReply());
});

function nextReply(): ReaderReply {
  try {
    const next = reading?.next();
    if (next === undefined || next.done) return { kind: "end", format: next?.value };
    return { kind: "part", ...next.value };
  } catch (error) {
    return error instanceof ContentRefused ? { kind: "refused", reason: error.reason } : { kind: "failed" };
  }
}
