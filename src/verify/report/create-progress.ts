import type { Check } from "../check.js";
import { createStyle } from "./create-layout.js";
import { cutToWidth } from "./text-width.js";
import { visibleLine } from "./visible-text.js";

/** Shows the progress of a run on a terminal. */
export interface Progress {
  /** Announces more checks. */
  readonly plan: (count: number) => void;
  /** Counts a completed check. */
  readonly done: (check: Pick<Check, "id" | "outcome">) => void;
  /** Removes the line until the next update, so that other lines can be written. */
  readonly clear: () => void;
  /** Removes the line; nothing is shown afterwards. */
  readonly end: () => void;
}

/** A stream that shows progress, such as `process.stderr`. */
export interface ProgressStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly write: (text: string) => unknown;
}

export interface ProgressOptions {
  /** Checks whose failures do not count as broken. */
  readonly knownFailing?: ReadonlyMap<string, string>;
  readonly colours?: boolean;
  /** Returns the time in milliseconds. Defaults to `performance.now`. */
  readonly now?: () => number;
}

/** The minimum time between two updates of the line. */
const minIntervalMs = 80;

/** Returns to the beginning of the line and erases it. */
const clearLine = "\r\x1b[2K";

/** Shows one line of progress if the stream is a terminal, and nothing otherwise. */
export function createProgress(stream: ProgressStream, options: ProgressOptions = {}): Progress {
  const { knownFailing, colours = false, now = () => performance.now() } = options;
  const style = createStyle(colours);
  let [planned, done, broken, current] = [0, 0, 0, ""];
  let [written, ended, writtenAt] = [false, false, Number.NEGATIVE_INFINITY];
  const show = () => {
    if (ended || stream.isTTY !== true || now() - writtenAt < minIntervalMs) return;
    // Leaves the last column free, because some terminals begin a new line after it.
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
    clear: () => {
      if (written && !ended) stream.write(clearLine);
      [written, writtenAt] = [false, Number.NEGATIVE_INFINITY];
    },
    end: () => {
      if (written && !ended) stream.write(clearLine);
      ended = true;
    },
  };
}
