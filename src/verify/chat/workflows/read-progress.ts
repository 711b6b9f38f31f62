/** What a process of `respect` has printed, as far as it tells how far it has come. */
export interface RespectProgress {
  /** The workflows that were begun, in their order. */
  readonly begun: readonly BegunWorkflow[];
}

/** A workflow that was begun. */
export interface BegunWorkflow {
  readonly workflowId: string;
  /** Whether a step of it got no answer. */
  readonly isUnanswered: boolean;
  /** Whether the next one was begun, or all are done. */
  readonly isOver: boolean;
}

const summary = /^ *(?:Failed tests info:|Summary for )/m;

/** Reads the log of a process. */
export function readProgress(log: string): RespectProgress {
  const ends = log.search(summary);
  const [, ...parts] = (ends === -1 ? log : log.slice(0, ends)).split(/^ *Running workflow \S+ \/ /m);
  return {
    begun: parts.map((part, index) => ({
      workflowId: /^\S*/.exec(part)?.[0] ?? "",
      isUnanswered: part.includes("✗ failed network request"),
      isOver: index < parts.length - 1 || ends !== -1,
    })),
  };
}
