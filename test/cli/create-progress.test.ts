import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createProgress, type ProgressOptions } from "../../src/cli/create-progress.js";

/** A terminal that records the content of its line. */
function terminal(columns = 60) {
  let [line, everything] = ["", ""];
  return {
    isTTY: true,
    columns,
    write: (text: string) => {
      everything += text;
      line = (line + text).split("\r\x1b[2K").at(-1) ?? "";
    },
    line: () => line,
    everything: () => everything,
  };
}

function onTerminal(options: ProgressOptions = {}, columns?: number) {
  const shown = terminal(columns);
  return { shown, progress: createProgress(shown, options) };
}

const wait = (ms = 1000) => vi.advanceTimersByTime(ms);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance", "setInterval", "clearInterval"] });
});
afterEach(() => {
  vi.useRealTimers();
});

describe("createProgress on a terminal", () => {
  it("shows the completed and broken steps, the remaining time and the latest step", () => {
    const { shown, progress } = onTerminal();
    progress.plan(10);
    expect(shown.line()).toBe("0/10  ");
    wait();
    progress.done("case a");
    expect(shown.line()).toBe("1/10  about 9.0 s left  case a");
    wait();
    progress.done("case b", true);
    expect(shown.line()).toBe("2/10  1 broken  about 8.0 s left  case b");
    wait();
    progress.plan(5);
    expect(shown.line()).toBe("2/15  1 broken  about 20.0 s left  case b");
  });

  it("erases its line at the end", () => {
    const { shown, progress } = onTerminal();
    progress.plan(10);
    progress.end();
    expect(shown.line()).toBe("");
    expect(shown.everything().endsWith("\r\x1b[2K")).toBe(true);
    const before = shown.everything();
    wait();
    progress.done("case a");
    progress.end();
    expect(shown.everything()).toBe(before);
  });

  it("limits how often it writes", () => {
    const { shown, progress } = onTerminal();
    progress.plan(1000);
    for (let count = 0; count < 1000; count++) progress.done("case a");
    expect(shown.everything()).toBe("\r\x1b[2K0/1000  ");
  });

  it.each([1, 5, 12, 30])("fits into %i columns, and removes control characters", (columns) => {
    const { shown, progress } = onTerminal({}, columns);
    progress.plan(100_000);
    wait();
    progress.done(`case \x1b[31m\n${"日本".repeat(40)}`, true);
    expect(shown.line().length).toBeLessThan(columns);
    expect(shown.everything().replaceAll("\r\x1b[2K", "")).not.toMatch(/\p{Cc}/u);
  });

  it("colours the broken steps if colours are on", () => {
    const { shown, progress } = onTerminal({ colours: true });
    wait();
    progress.done("case a", true);
    expect(shown.line()).toContain("\x1b[31m  1 broken\x1b[39m");
  });
});

describe("createProgress without a terminal", () => {
  const inFile = (options: ProgressOptions = {}) => {
    const written: string[] = [];
    return { written, progress: createProgress({ write: (text) => written.push(text) }, options) };
  };

  it("writes a line every five seconds", () => {
    const { written, progress } = inFile({ title: "verify chat" });
    progress.plan(100);
    for (let count = 0; count < 25; count++) progress.done("case a", count === 0);
    wait(4999);
    expect(written).toEqual([]);
    wait(1);
    expect(written).toEqual(["verify chat: 25/100, 1 broken, about 15.0 s left\n"]);
    wait(10_000);
    expect(written).toHaveLength(3);
    progress.end();
    wait(10_000);
    expect(written).toHaveLength(3);
  });

  it("does not guess the remaining time of a run that has just begun", () => {
    const { written, progress } = inFile();
    progress.plan(100);
    progress.done("case a");
    wait(5000);
    progress.end();
    expect(written).toEqual(["1/100\n"]);
  });
});

describe("createProgress with `quiet`", () => {
  it.each([true, false])("writes nothing (terminal: %s)", (isTTY) => {
    const shown = { ...terminal(), isTTY };
    const progress = createProgress(shown, { quiet: true });
    progress.plan(100);
    progress.done("case a");
    wait(20_000);
    progress.end();
    expect(shown.everything()).toBe("");
  });
});
