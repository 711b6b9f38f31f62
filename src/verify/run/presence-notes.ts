import type { Presence } from "./presence.js";

/** What responses say of an operation: that it is there and works, or whether it is there. */
export type Sign =
  | { readonly kind: "success" }
  /** `weak`: any response of another kind outweighs it. `strong`: it outweighs a success, which any path may have. */
  | (Presence & { readonly certainty?: "weak" | "strong" });

/** What the calls of a run say of operations, whoever made them and why. */
export interface PresenceNotes {
  readonly note: (operation: string, sign: Sign) => void;
  /** Undefined if nothing was noted. */
  readonly find: (operation: string) => Presence | undefined;
  /** What `find` finds, by operation. */
  readonly all: () => ReadonlyMap<string, Presence>;
  readonly lacks: (operation: string) => boolean;
  /** Whether an operation succeeded, with a response as documented. */
  readonly hasSucceeded: (operation: string) => boolean;
}

/**
 * Creates the notes of a run. A success outweighs most. What says that an operation is not implemented, such as 501, outweighs
 * refusals, because a server may check credentials and parameters before it looks for a handler.
 */
export function createPresenceNotes(): PresenceNotes {
  const notes = new Map<string, Sign>();
  const find = (operation: string): Presence | undefined => {
    const sign = notes.get(operation);
    return sign && presenceBy(sign);
  };
  return {
    note: (operation, sign) => {
      const known = notes.get(operation);
      if (known === undefined || weightOf(sign) > weightOf(known)) notes.set(operation, sign);
    },
    find,
    all: () => new Map([...notes].map(([operation, sign]) => [operation, presenceBy(sign)])),
    lacks: (operation) => find(operation)?.kind === "not-implemented",
    hasSucceeded: (operation) => notes.get(operation)?.kind === "success",
  };
}

function presenceBy(sign: Sign): Presence {
  return sign.kind === "success" ? { kind: "there" } : sign;
}

function weightOf(sign: Sign): number {
  if ("certainty" in sign && sign.certainty !== undefined) return sign.certainty === "weak" ? 1 : 5;
  return { unknown: 0, there: 2, "not-implemented": 3, success: 4 }[sign.kind];
}
