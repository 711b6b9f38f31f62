import { createStyle } from "../report/layout.js";
import { formatDuration } from "../text/format-values.js";
import { cutToWidth } from "../text/text-width.js";
import { visibleLine } from "../text/visible-text.js";

/** Shows the progress of a long-running command. */
export interface Progress {
  /** Announces more steps. */
  readonly plan: (count: number) => void;
  /** Counts a completed step. Its name may be a function, which is called only if the name is shown. `broken` defaults to false. */
  readonly done: (name: string | (() => string), broken?: boolean) => void;
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
  /** What the command does, such as `verify chat`. Shown before the counts if the stream is not a terminal. */
  readonly title?: string;
  readonly colours?: boolean;
  /** Shows nothing. Defaults to false. */
  readonly quiet?: boolean;
}

/** The minimum time between two updates of a terminal's line. */
const minIntervalMs = 80;

/** The time between two lines if the stream is not a terminal. */
const lineIntervalMs = 5000;

/** The share of the steps below which the remaining time is unknown. */
const minShare = 0.02;

/** Returns to the beginning of the line and erases it. */
const clearLine = "\r\x1b[2K";

/**
 * Shows the completed, planned and broken steps and the remaining time: in one line if the stream is a terminal, which also shows the
 * latest step, and otherwise as a line every five seconds.
 */
export function createProgress(stream: ProgressStream, options: ProgressOptions = {}): Progress {
  const { title, colours = false, quiet = false } = options;
  const style = createStyle(colours);
  const startedAt = performance.now();
  let [planned, done, broken] = [0, 0, 0];
  let current: string | (() => string) = "";
  let [written, ended, writtenAt] = [false, false, Number.NEGATIVE_INFINITY];

  const remaining = () => {
    const share = done / Math.max(planned, done);
    if (!(share >= minShare && share < 1)) return "";
    return `about ${formatDuration(Math.ceil(((performance.now() - startedAt) * (1 - share)) / share / 1000) * 1000)} left`;
  };
  const counts = () => (planned === 0 ? `${done}` : `${done}/${Math.max(planned, done)}`);
  const showLine = () => {
    const parts = [counts(), broken === 0 ? "" : `${broken} broken`, remaining()];
    stream.write(`${title === undefined ? "" : `${title}: `}${parts.filter(Boolean).join(", ")}\n`);
  };
  const updateLine = () => {
    if (performance.now() - writtenAt < minIntervalMs) return;
    // Leaves the last column free, because some terminals begin a new line after it.
    let columns = (stream.columns ?? 80) - 1;
    const fitting = (text: string) => {
      const cut = cutToWidth(text, columns);
      columns -= cut.length;
      return cut;
    };
    const line = fitting(counts()) + style.red(fitting(broken === 0 ? "" : `  ${broken} broken`));
    const left = fitting(remaining().replace(/^(?=.)/, "  "));
    const step = typeof current === "string" ? current : current();
    stream.write(clearLine + line + left + style.dim(fitting(`  ${visibleLine(step)}`)));
    [written, writtenAt] = [true, performance.now()];
  };

  const isTerminal = stream.isTTY === true;
  const timer = quiet || isTerminal ? undefined : setInterval(showLine, lineIntervalMs).unref();
  const show = () => {
    if (isTerminal && !quiet && !ended) updateLine();
  };
  return {
    plan: (count) => {
      planned += count;
      show();
    },
    done: (name, isBroken = false) => {
      done++;
      if (isBroken) broken++;
      current = name;
      show();
    },
    clear: () => {
      if (written && !ended) stream.write(clearLine);
      [written, writtenAt] = [false, Number.NEGATIVE_INFINITY];
    },
    end: () => {
      clearInterval(timer);
      if (written && !ended) stream.write(clearLine);
      ended = true;
    },
  };
}
