import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ordinalsOf, packNodes, unpackNode } from "../../../../reference/daemon/networks/node-block.js";
import { sampleNode, sampleNodes } from "../../../support/sample-node.js";

describe("packed nodes", () => {
  it("are found only by their ordinals", async () => {
    const ascending = fc.uniqueArray(fc.integer({ min: 1, max: 500_000 }), { maxLength: 700 });
    await fc.assert(
      fc.asyncProperty(ascending, async (numbers) => {
        const ordinals = numbers.sort((a, b) => a - b);
        const blocks = await packNodes(sampleNodes(ordinals));
        const blockOf = (ordinal: number) => blocks.findLast((block) => block.first_ordinal <= ordinal);
        for (const ordinal of ordinals) {
          const block = blockOf(ordinal);
          expect(block && unpackNode(block, ordinal)?.name).toBe(`Node ${ordinal}`);
          const next = ordinal + 1;
          const following = blockOf(next);
          expect(following && ordinalsOf(following).includes(next)).toBe(ordinals.includes(next));
        }
      }),
      { numRuns: 30 },
    );
  });

  it("keep every field, even malformed Unicode", async () => {
    const node = sampleNode({ name: "香港 \u{1F1ED}\ud800", settings: { password: "a\0b", path: "/ray" } });
    const [block] = await packNodes([{ ordinal: 4_000_000_000, node }]);
    expect(block && unpackNode(block, 4_000_000_000)).toEqual(node);
  });

  it("take no block if there are no nodes", async () => {
    expect(await packNodes([])).toEqual([]);
  });
});
