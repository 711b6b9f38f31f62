import { describe, expect, it } from "vitest";
import { readOpenPoints, repeatedPoints } from "../../../scripts/generate/open-points.js";

describe("readOpenPoints", () => {
  it.each(["chat", "daemon"] as const)("reads the points of the %s contract", (contract) => {
    const { topics, problems } = readOpenPoints(contract);
    expect(problems).toEqual([]);
    expect(topics.flatMap(({ points }) => points).length).toBeGreaterThan(0);
  });
});

describe("repeatedPoints", () => {
  const topics = [
    {
      topic: "messages",
      points: [{ point: "Which order", source: "Get messages", choice: "By id" }],
    },
  ];

  it("accepts different points", () => {
    expect(repeatedPoints(topics, ["Which status"])).toEqual([]);
  });

  it("reports a point that a recommendation decides", () => {
    expect(repeatedPoints(topics, ["Which order"])).toEqual([expect.stringContaining("Which order")]);
  });

  it("reports two recommendations for one point", () => {
    expect(repeatedPoints([], ["Which order", "Which order"])).toEqual([expect.stringContaining("Which order")]);
  });
});
