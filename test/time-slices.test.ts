import { expect, it } from "vitest";
import { createTurns, inTurns } from "../src/time-slices.js";

function* work(name: string, turns: number, log: string[]): Generator<void, string> {
  for (let turn = 1; turn < turns; turn++) {
    log.push(name);
    yield;
  }
  log.push(name);
  return name;
}

it("gives what takes one turn at once", () => {
  expect(inTurns(work("a", 1, []), createTurns())).toBe("a");
});

it("gives one turn each time the event loop comes round, in the order of asking", async () => {
  const nextTurn = createTurns();
  const log: string[] = [];
  const answers = ["a", "b", "c"].map((name) => inTurns(work(name, 3, log), nextTurn));
  let isDone = false;
  const round = () => {
    log.push("|");
    if (!isDone) setImmediate(round);
  };
  setImmediate(round);
  expect(await Promise.all(answers)).toEqual(["a", "b", "c"]);
  isDone = true;
  expect(log.join("").replace(/\|+$/, "")).toBe("abca|b|c|a|b|c");
});

it("goes on after work that throws", async () => {
  const nextTurn = createTurns();
  const failing = (function* (): Generator<void, string> {
    yield;
    throw new Error("broken");
  })();
  const answers = [inTurns(failing, nextTurn), inTurns(work("a", 2, []), nextTurn)];
  expect(await Promise.allSettled(answers)).toMatchObject([{ status: "rejected" }, { status: "fulfilled" }]);
  expect(await inTurns(work("b", 2, []), nextTurn)).toBe("b");
});
