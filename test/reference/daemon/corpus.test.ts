import { describe, expect, it } from "vitest";
import { decodeText } from "../../../reference/daemon/import/decode-text.js";
import { createTimeSlices as createTurns } from "../../../src/time-slices.js";
import { bodies, expectations, readBody, readExpectation } from "./corpus-bodies.js";
import { readAll } from "./import/formats/read-all.js";

it("has an expectation for every body, and a body for every expectation", () => {
  expect(expectations).toEqual(bodies);
  expect(bodies.length).toBeGreaterThanOrEqual(70);
});

describe("bodies", () => {
  it.each(bodies)("%s", async (name) => {
    const text = await decodeText(readBody(name), createTurns());
    expect(describeContent(text)).toEqual(readExpectation(name));
  });
});

/** In the form of the expectations. */
function describeContent(text: string): unknown {
  if (text === "") return { format: "empty" };
  const content = readAll(text);
  if (content === undefined) return { format: "unknown" };
  const nodes = content.nodes.map(({ ordinal, node: { checksCertificate, settings, ...node } }) => ({
    ordinal,
    ...node,
    ...(checksCertificate ? {} : { checksCertificate }),
  }));
  return { format: content.format, nodes, rejected: content.rejected };
}
