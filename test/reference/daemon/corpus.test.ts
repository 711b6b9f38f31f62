import { describe, expect, it } from "vitest";
import { decodeText } from "../../../reference/daemon/import/reading/decode-text.js";
import { bodies, expectations, readBody, readExpectation } from "./corpus-bodies.js";
import { readAll } from "./import/formats/read-all.js";

describe("the corpus", () => {
  it("has an expected result for every body, and a body for every expected result", () => {
    expect(expectations).toEqual(bodies);
    expect(bodies.length).toBeGreaterThanOrEqual(70);
  });
});

describe("a body of the corpus", () => {
  it.each(bodies)("is read as expected: %s", (name) => {
    const text = decodeText(readBody(name));
    expect(describeContent(text)).toEqual(readExpectation(name));
  });
});

/** Converted to the format of the expected results. */
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
