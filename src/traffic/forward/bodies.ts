import type { Readable, Writable } from "node:stream";

/** Opens the record of one body, which keeps at most `maxBytes` for judging. */
export type OpenRecord = (maxBytes: number) => BodyRecord;

/** The record of one body. */
export interface BodyRecord {
  readonly add: (piece: Uint8Array) => void;
  /** The number of bytes of the whole body so far. */
  readonly bytes: () => number;
  /** The whole body. Undefined if it exceeds what is kept. */
  readonly content: () => Uint8Array | undefined;
  /** Forgets the body. */
  readonly release: () => void;
}

/** Creates the records of a proxy. Once `maxHeldBytes` are kept in total, they keep no further bodies until some are released. */
export function createBodyRecords(maxHeldBytes: number): OpenRecord {
  let held = 0;
  return (maxBytes) => {
    let pieces: Uint8Array[] | undefined = [];
    let [kept, total] = [0, 0];
    const release = () => {
      held -= kept;
      kept = 0;
      pieces = undefined;
    };
    return {
      add: (piece) => {
        total += piece.length;
        if (pieces === undefined) return;
        if (total > maxBytes || held + piece.length > maxHeldBytes) return release();
        held += piece.length;
        kept += piece.length;
        pieces.push(piece);
      },
      bytes: () => total,
      content: () => (pieces?.length === 1 ? pieces[0] : pieces && Buffer.concat(pieces)),
      release,
    };
  };
}

/**
 * Streams a body, only as fast as the sink takes it, and calls `end` after it. Returns a function that stops streaming, so that the rest can
 * be discarded. Does not use `pipeline`, whose listeners cost more than the rest of forwarding a short body, and which ends the sink before
 * its trailers.
 */
export function pump(source: Readable, sink: Writable, record: BodyRecord, end: () => void): () => void {
  const resume = () => void source.resume();
  const pass = (piece: Buffer) => {
    record.add(piece);
    if (sink.destroyed || sink.write(piece)) return;
    source.pause();
    sink.once("drain", resume);
  };
  source.on("data", pass).once("end", end);
  return () => {
    source.off("data", pass).off("end", end);
    sink.off("drain", resume);
  };
}
