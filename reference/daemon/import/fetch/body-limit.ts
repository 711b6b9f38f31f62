import { FetchFailure } from "./fetch-failure.js";

/** How many bytes of a body may be in memory, before and after decompression. */
export interface BodyLimit {
  readonly bytes: number;
  /** Raises the limit to the highest, as soon as there is memory for it. Throws `too-large` if it is the highest already. */
  readonly raise: () => Promise<void>;
}

/** Starts with a low limit, which is enough for nearly all bodies. */
export function createBodyLimit(lowest: number, highest: number, grow: () => Promise<void>): BodyLimit {
  let bytes = lowest;
  return {
    get bytes() {
      return bytes;
    },
    raise: async () => {
      if (bytes === highest) throw new FetchFailure("too-large");
      await grow();
      bytes = highest;
    },
  };
}
