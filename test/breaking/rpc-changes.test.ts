import { expect, it } from "vitest";
import { rpcChanges } from "../../src/breaking/rpc-changes.js";
import { makeFolder } from "../support/museum.js";

const service = "service Shop { rpc Get(Item) returns (Item); }";
const proto2 = (text: string) => `syntax = "proto2";\npackage shop.v1;\n${text}\n${service}\n`;
const proto3 = (text: string) => `syntax = "proto3";\npackage shop.v1;\n${text}\n${service}\n`;
const options = `import "google/protobuf/descriptor.proto";
extend google.protobuf.FieldOptions { optional int32 limit = 50001; }`;

it.each<[impact: string, change: string, before: string, after: string, says: RegExp]>([
  ["none", "nothing", proto3("message Item {}"), proto3("message Item {}"), /^$/],
  ["patch", "a comment", proto3("message Item {}"), proto3("// An item.\nmessage Item {}"), /comments/],
  ["minor", "a field", proto3("message Item {}"), proto3("message Item { int32 size = 1; }"), /additions/],
  [
    "major",
    "a default of proto2",
    proto2("message Item { optional int32 size = 1 [default = 1]; }"),
    proto2("message Item { optional int32 size = 1 [default = 2]; }"),
    /default/,
  ],
  [
    "major",
    "a removed extension",
    proto2("message Item { extensions 100 to 199; }\nextend Item { optional int32 size = 100; }"),
    proto2("message Item { extensions 100 to 199; }"),
    /extension/,
  ],
  [
    "minor",
    "the value of a custom option",
    proto3(`${options}\nmessage Item { string name = 1 [(limit) = 5]; }`),
    proto3(`${options}\nmessage Item { string name = 1 [(limit) = 6]; }`),
    /^minor: options or other parts of the RPC contract changed$/,
  ],
])("is %s for %s", async (impact, _, before, after, says) => {
  const [base, revision] = [before, after].map((text) => makeFolder({ "shop/v1/shop.proto": text }));
  const changes = await rpcChanges(base ?? "", revision ?? "");
  expect(changes).toMatchObject({ impact });
  expect(changes.reasons.join("\n")).toMatch(says);
});
