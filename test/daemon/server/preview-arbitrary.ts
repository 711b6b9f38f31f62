import fc from "fast-check";
import { anyCharacter } from "../../support/any-character.js";

const int32 = fc.oneof(
  fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
  fc.constantFrom(0, -0, -1, 127, 128, 2 ** 31 - 1, -(2 ** 31)),
);
const text = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 60 }),
  fc.constantFrom(
    "",
    "a".repeat(40),
    "a".repeat(41),
    "é".repeat(40),
    "\ud800",
    "a\udc00b",
    "😀",
    "\0",
    "x".repeat(70_000),
  ),
);
const texts = fc.array(text, { maxLength: 4 });
const some = { requiredKeys: [] };
const node = fc.record(
  {
    ordinal: int32,
    name: text,
    protocol: text,
    server: text,
    port: int32,
    warnings: texts,
    runtimeSupported: fc.boolean(),
  },
  some,
);
const rejected = fc.record({ ordinal: int32, reason: text, scheme: text }, some);

/** Random fields of a `ProxySubscriptionPreviewResponse`, with short lists. */
export const previewArbitrary = fc.record(
  {
    suggestedName: text,
    detectedFormat: text,
    compatibleCount: int32,
    rejectedCount: int32,
    node: fc.array(node, { maxLength: 6 }),
    rejected: fc.array(rejected, { maxLength: 6 }),
    warnings: texts,
  },
  some,
);
