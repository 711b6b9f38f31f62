import { describe, expect, it } from "vitest";
import { readProgress } from "../../../../src/verify/chat/workflows/respect-progress.js";

const line = "────────────────────────────────";
const one = `${line} \n \n  Running workflow part-0-0.channels.arazzo.yaml / first \n \n  ✓ POST /states - step given \n    ✓ success criteria check\n`;
const two = `${line} \n \n  Running workflow part-0-0.channels.arazzo.yaml / second \n \n  ✗ POST /states - step given \n    ✗ failed network request\n`;
const end = `\n\n  Failed tests info:\n\n  Workflow name: second\n \n    stepId - given \n    ✗ failed network request \n`;
const first = { workflowId: "first", isUnanswered: false };
const second = { workflowId: "second", isUnanswered: true };

describe("readProgress", () => {
  it.each([
    ["no workflow", "(node:1) Warning\n....", []],
    ["a running workflow", one, [{ ...first, isOver: false }]],
    [
      "the start of the next workflow",
      one + two,
      [
        { ...first, isOver: true },
        { ...second, isOver: false },
      ],
    ],
    [
      "the end of the run",
      one + two + end,
      [
        { ...first, isOver: true },
        { ...second, isOver: true },
      ],
    ],
    ["the end of a run without a failure", `${one}\n  Summary for x\n`, [{ ...first, isOver: true }]],
  ])("reads %s", (_, log, started) => {
    expect(readProgress(log)).toEqual(started);
  });
});
