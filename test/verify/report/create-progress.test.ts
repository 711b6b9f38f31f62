import { describe, expect, it } from "vitest";
import { createProgress, type ProgressOptions } from "../../../src/verify/report/create-progress.js";
import { failing, sampleCheck } from "./sample-report.js";

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

function clocked(options: ProgressOptions = {}, columns?: number) {
  const shown = terminal(columns);
  let time = 0;
  const progress = createProgress(shown, { now: () => time, ...options });
  return { shown, progress, wait: () => (time += 1000) };
}

describe("createProgress", () => {
  it("shows the completed and broken checks and the latest check", () => {
    const { shown, progress, wait } = clocked();
    progress.plan(10);
    expect(shown.line()).toBe("0/10  ");
    wait();
    progress.done(sampleCheck());
    expect(shown.line()).toBe("1/10  case editMessage/content");
    wait();
    progress.done(sampleCheck({ id: "case b", outcome: failing }));
    expect(shown.line()).toBe("2/10  1 broken  case b");
    wait();
    progress.plan(5);
    expect(shown.line()).toBe("2/15  1 broken  case b");
  });

  it("erases its line at the end", () => {
    const { shown, progress, wait } = clocked();
    progress.plan(10);
    progress.end();
    expect(shown.line()).toBe("");
    expect(shown.everything().endsWith("\r\x1b[2K")).toBe(true);
    const before = shown.everything();
    wait();
    progress.done(sampleCheck());
    progress.end();
    expect(shown.everything()).toBe(before);
  });

  it("writes nothing if the stream is not a terminal", () => {
    const written: string[] = [];
    const progress = createProgress({ write: (text) => written.push(text) });
    progress.plan(1);
    progress.done(sampleCheck());
    progress.end();
    expect(written).toEqual([]);
  });

  it("limits how often it writes", () => {
    const { shown, progress } = clocked();
    progress.plan(1000);
    for (let count = 0; count < 1000; count++) progress.done(sampleCheck());
    expect(shown.everything()).toBe("\r\x1b[2K0/1000  ");
  });

  it("does not count known failures as broken", () => {
    const { shown, progress, wait } = clocked({ knownFailing: new Map([["case b", "known"]]) });
    wait();
    progress.done(sampleCheck({ id: "case b", outcome: failing }));
    expect(shown.line()).toBe("1  case b");
  });

  it.each([1, 5, 12, 30])("fits into %i columns, and removes control characters", (columns) => {
    const { shown, progress, wait } = clocked({}, columns);
    progress.plan(100_000);
    wait();
    progress.done(sampleCheck({ id: `case \x1b[31m\n${"日本".repeat(40)}`, outcome: failing }));
    expect(shown.line().length).toBeLessThan(columns);
    expect(shown.everything().replaceAll("\r\x1b[2K", "")).not.toMatch(/\p{Cc}/u);
  });

  it("colours broken checks if colours are on", () => {
    const { shown, progress, wait } = clocked({ colours: true });
    wait();
    progress.done(sampleCheck({ outcome: failing }));
    expect(shown.line()).toContain("\x1b[31m  1 broken\x1b[39m");
  });
});
