/** What a run may do to a server, each degree including those before it. */
export const degrees = ["reads", "undone", "everything"] as const;

/**
 * What a run may send: `reads` only what the protocol calls safe; `undone` also what the run removes again, and refusals that no lenient
 * reading of the request can turn into an act; `everything` all checks, on a server where nothing matters.
 */
export type Degree = (typeof degrees)[number];

/** Whether what a run may do includes what a degree allows. */
export function includesDegree(allowed: Degree, needed: Degree): boolean {
  return degrees.indexOf(allowed) >= degrees.indexOf(needed);
}
