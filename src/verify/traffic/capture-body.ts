/** Keeps the beginning of bodies for judging, within a bound for all of them together. */
export interface BodyKeeper {
  /** Opens the record of one body, which keeps at most `maxBytes`. */
  readonly open: (maxBytes: number) => BodyRecord;
}

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

/** Creates a keeper. Once `maxHeldBytes` are kept in total, it keeps no further bodies until some are released. */
export function createBodyKeeper(maxHeldBytes: number): BodyKeeper {
  let held = 0;
  return {
    open: (maxBytes) => {
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
    },
  };
}
