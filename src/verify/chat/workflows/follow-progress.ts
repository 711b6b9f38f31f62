import { type BegunWorkflow, readProgress } from "./read-progress.js";

/** Follows what a process of `respect` prints. */
export interface ProgressFollower {
  /** Is given all that was printed until now. */
  readonly look: (log: string) => void;
}

/**
 * Tells of each workflow that is over, and whether it waited in vain for an answer until the time was up. `timeoutMs` is how long a
 * request may take.
 */
export function followProgress({
  timeoutMs,
  onOver,
}: {
  readonly timeoutMs: number;
  readonly onOver?: (workflow: BegunWorkflow, hasWaited: boolean) => void;
}): ProgressFollower {
  const waited = new Set<string>();
  let [length, since, told] = [0, performance.now(), 0];
  return {
    look: (log) => {
      if (log.length <= length) return;
      const now = performance.now();
      // What was under way when the last line was printed.
      const { begun: before } = readProgress(log.slice(0, length));
      const { workflowId } = before.at(-1) ?? {};
      if (workflowId !== undefined && now - since >= timeoutMs / 2) waited.add(workflowId);
      [length, since] = [log.length, now];
      const over = readProgress(log).begun.filter(({ isOver }) => isOver);
      for (const one of over.slice(told)) onOver?.(one, waited.has(one.workflowId));
      told = over.length;
    },
  };
}
