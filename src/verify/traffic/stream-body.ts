import type { ClientRequest, IncomingMessage, ServerResponse } from "node:http";
import type { BodyRecord } from "./capture-body.js";

/** Observes a body on its way. */
export interface StreamObserver {
  readonly record: BodyRecord;
  /** Called with each piece. */
  readonly onProgress: () => void;
}

/**
 * Streams a body with its trailers, only as fast as the sink takes it. Returns a function that stops streaming, so that
 * the rest can be discarded. Does not use `pipe`, whose listeners cost more than the rest of forwarding a short body.
 */
export function stream(
  source: IncomingMessage,
  sink: ServerResponse | ClientRequest,
  { record, onProgress }: StreamObserver,
): () => void {
  const resume = () => void source.resume();
  const pass = (piece: Buffer) => {
    onProgress();
    record.add(piece);
    if (sink.destroyed || sink.write(piece)) return;
    source.pause();
    sink.once("drain", resume);
  };
  const end = () => {
    if (source.rawTrailers.length > 0) addTrailers(source.rawTrailers, sink);
    sink.end();
  };
  source.on("data", pass).once("end", end);
  return () => {
    source.off("data", pass).off("end", end);
    sink.off("drain", resume);
  };
}

function addTrailers(raw: readonly string[], sink: ServerResponse | ClientRequest): void {
  const pairs = raw.flatMap((name, at): [string, string][] => (at % 2 === 0 ? [[name, raw[at + 1] ?? ""]] : []));
  try {
    sink.addTrailers(pairs);
  } catch {
    // A name or value that Node refuses to send. Trailers may be dropped (RFC 9110, section 6.5.1).
  }
}
