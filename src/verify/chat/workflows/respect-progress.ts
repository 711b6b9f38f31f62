/** A workflow that started. */
export interface StartedWorkflow {
  readonly workflowId: string;
  /** Whether one of its steps got no response. */
  readonly isUnanswered: boolean;
  /** Whether the next workflow started, or the run ended. */
  readonly isOver: boolean;
}

const summary = /^ *(?:Failed tests info:|Summary for )/m;

/** Lists the workflows that started, in order, from the output of a `respect` process. */
export function readProgress(log: string): StartedWorkflow[] {
  const ends = log.search(summary);
  const [, ...parts] = (ends === -1 ? log : log.slice(0, ends)).split(/^ *Running workflow \S+ \/ /m);
  return parts.map((part, index) => ({
    workflowId: /^\S*/.exec(part)?.[0] ?? "",
    isUnanswered: part.includes("✗ failed network request"),
    isOver: index < parts.length - 1 || ends !== -1,
  }));
}

/** Follows the output of a `respect` process. */
export interface ProgressFollower {
  /** Takes the whole output so far. */
  readonly update: (log: string) => void;
}

/** Options of a progress follower. */
export interface ProgressFollowerOptions {
  /** How long a request may take, in milliseconds. */
  readonly timeoutMs: number;
  /** Called with each finished workflow; `hasTimedOut` says whether it waited for a response until the timeout. */
  readonly onOver?: (workflow: StartedWorkflow, hasTimedOut: boolean) => void;
}

/** Creates a follower, which reports each workflow as it ends. */
export function createProgressFollower({ timeoutMs, onOver }: ProgressFollowerOptions): ProgressFollower {
  const timedOut = new Set<string>();
  let [length, since, reported] = [0, performance.now(), 0];
  return {
    update: (log) => {
      if (log.length <= length) return;
      const now = performance.now();
      // The workflow that was running when the previous line was printed.
      const { workflowId } = readProgress(log.slice(0, length)).at(-1) ?? {};
      if (workflowId !== undefined && now - since >= timeoutMs / 2) timedOut.add(workflowId);
      [length, since] = [log.length, now];
      const over = readProgress(log).filter(({ isOver }) => isOver);
      for (const workflow of over.slice(reported)) onOver?.(workflow, timedOut.has(workflow.workflowId));
      reported = over.length;
    },
  };
}
