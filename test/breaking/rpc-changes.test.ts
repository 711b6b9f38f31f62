import { expect, it } from "vitest";
import { type RpcLevel, rpcChanges } from "../../src/breaking/rpc-changes.js";
import { makeFolder } from "../support/museum.js";
import { rpcRows } from "./rpc-change-rows.js";

const service = "service Shop { rpc Get(Item) returns (Item); }";
const proto3 = (text: string) => `syntax = "proto3";\npackage shop.v1;\n${text}\n${service}\n`;
const options = `import "google/protobuf/descriptor.proto";
extend google.protobuf.FieldOptions { optional int32 limit = 50001; }`;

it.each<[impact: string, change: string, before: string, after: string, says: RegExp]>([
  ["none", "nothing", proto3("message Item {}"), proto3("message Item {}"), /^$/],
  ["patch", "a comment", proto3("message Item {}"), proto3("// An item.\nmessage Item {}"), /comments/],
  ["minor", "a field", proto3("message Item {}"), proto3("message Item { int32 size = 1; }"), /additions/],
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

/** A folder with a file and a package of its own for each row. */
function folderOf(which: "before" | "after"): string {
  const files = rpcRows.map(({ [which]: text }, i) => {
    const [, syntax = 'syntax = "proto3";', rest = ""] = /^((?:syntax|edition) = "\w+";)?(.*)$/s.exec(text) ?? [];
    const name = /\bpackage /.test(text) ? "" : `package r${i}.v1;`;
    return [`r${i}/v1/r.proto`, `${syntax}\n${name}\n${rest}\n`];
  });
  return makeFolder(Object.fromEntries(files));
}

it.each<RpcLevel>(["source", "wire"])("judges each change of Protobuf: %s", async (level) => {
  const { reasons } = await rpcChanges(folderOf("before"), folderOf("after"), level);
  const found = rpcRows.map(({ change }, i) => {
    const own = reasons.filter((reason) => reason.includes(`r${i}/v1/`));
    const ids = own.map((reason) => /\((\w+)\)$/.exec(reason)?.[1]);
    return `${change}: ${[...new Set(ids)].sort().join(" ")}`;
  });
  expect(found).toEqual(rpcRows.map((row) => `${row.change}: ${row[level]}`));
});
