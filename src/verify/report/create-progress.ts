import type { Check } from "../check.js";
import { createStyle } from "./create-layout.js";
import { cutToWidth } from "./text-width.js";
import { visibleLine } from "./visible-text.js";

/** Shows on a terminal how far a run is. */
export interface Progress {
  /** Tells how many more checks there will be. */
  readonly plan: (count: number) => void;
  /** Tells that a check is done, and what came of it. */
  readonly done: (check: Pick<Check, "id" | "outcome">) => void;
  /** Takes the line away. Nothing is shown after that. */
  readonly end: () => void;
}

/** Where progress is shown: a stream such as `process.stderr`. */
export interface ProgressStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly write: (text: string) => unknown;
}

export interface ProgressOptions {
  /** Failures that are not counted as broken. */
  readonly knownFailing?: ReadonlyMap<string, string>;
  readonly colours?: boolean;
  /** The time in milliseconds. Defaults to `performance.now`. */
  readonly now?: () => number;
}

/** The line is written again after so many milliseconds at the earliest. */
const interval = 80;

/** Back to the beginning of the line, and what stands there is gone. */
const clearLine = "\r\x1b[2K";

/** Shows one line of progress on a terminal, and nothing on anything else. */
export function createProgress(stream: ProgressStream, options: ProgressOptions = {}): Progress {
  const { knownFailing, colours = false, now = () => performance.now() } = options;
  const style = createStyle(colours);
  let [planned, done, broken, current] = [0, 0, 0, ""];
  let [written, ended, writtenAt] = [false, false, Number.NEGATIVE_INFINITY];
  const show = () => {
    if (ended || stream.isTTY !== true || now() - writtenAt < interval) return;
    // The last column stays free: some terminals begin a new line when it is taken.
    const columns = (stream.columns ?? 80) - 1;
    const counts = cutToWidth(planned === 0 ? `${done}` : `${done}/${Math.max(planned, done)}`, columns);
    const failures = broken === 0 ? "" : cutToWidth(`  ${broken} broken`, columns - counts.length);
    const name = cutToWidth(`  ${visibleLine(current)}`, columns - counts.length - failures.length);
    stream.write(clearLine + counts + style.red(failures) + style.dim(name));
    [written, writtenAt] = [true, now()];
  };
  return {
    plan: (count) => {
      planned += count;
      show();
    },
    done: ({ id, outcome }) => {
      done++;
      if (outcome.kind === "failed" && knownFailing?.has(id) !== true) broken++;
      current = id;
      show();
    },
    end: () => {
      if (written && !ended) stream.write(clearLine);
      ended = true;
    },
  };
}
