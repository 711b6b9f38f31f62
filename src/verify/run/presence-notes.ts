import type { Presence } from "./presence.js";

/** What a response says of its operation: that it is there and works, or whether it is there. */
export type Sign =
  | { readonly kind: "success" }
  /** `isWeak`: any response of another kind outweighs it. */
  | (Presence & { readonly isWeak?: boolean });

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
 * Creates the notes of a run. A success outweighs everything. What says that an operation is not implemented, such as 501, outweighs
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
  if (sign.kind !== "success" && sign.isWeak) return 1;
  return { unknown: 0, there: 2, "not-implemented": 3, success: 4 }[sign.kind];
}
