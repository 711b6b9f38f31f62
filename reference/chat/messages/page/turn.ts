/** How much is looked at before others have a turn. */
export interface TurnSize {
  /** Rows of an index; fewer when a narrow says much about each. A page whose rows all match is read in one turn in any case. */
  readonly candidates: number;
  /** The widest range of ids that a search looks through at a time. */
  readonly ids: number;
}

/** Takes a few milliseconds. */
export const usualTurn: TurnSize = { candidates: 3000, ids: 131_072 };

/** What the present turn has cost so far; 1 is enough. */
export interface Turn {
  readonly size: TurnSize;
  spent: number;
}

const fewestCandidates = 16;

/** How many candidates may be looked at in a turn, when looking at one costs so much (see `SearchPlan`). */
export function candidatesPerTurn({ size }: Turn, weight: number): number {
  return Math.min(size.candidates, Math.max(fewestCandidates, Math.floor(size.candidates / (1 + weight / 4))));
}
