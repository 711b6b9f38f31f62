import type { ClientRequest, IncomingMessage, ServerResponse } from "node:http";
import type { BodyRecord } from "./capture-body.js";

/** Observes a body on its way. */
export interface StreamObserver {
  readonly record: BodyRecord;
  /** Called with each piece. */
  readonly onProgress: () => void;
}

/** Streams a body with its trailers, only as fast as the sink takes it. */
export function stream(
  source: IncomingMessage,
  sink: ServerResponse | ClientRequest,
  { record, onProgress }: StreamObserver,
): void {
  source.on("data", (piece: Buffer) => {
    onProgress();
    record.add(piece);
  });
  source.once("end", () => {
    if (source.rawTrailers.length > 0) addTrailers(source.rawTrailers, sink);
    sink.end();
  });
  source.pipe(sink, { end: false });
}

function addTrailers(raw: readonly string[], sink: ServerResponse | ClientRequest): void {
  const pairs = raw.flatMap((name, at): [string, string][] => (at % 2 === 0 ? [[name, raw[at + 1] ?? ""]] : []));
  try {
    sink.addTrailers(pairs);
  } catch {
    // A name or value that Node refuses to send. Trailers may be dropped (RFC 9110, section 6.5.1).
  }
}
