import { Code } from "@connectrpc/connect";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ImportedNode } from "../../../../reference/daemon/import/entry.js";
import { packNodes } from "../../../../reference/daemon/networks/node-block.js";
import { storeImport } from "../../../../reference/daemon/networks/store-import.js";
import { type Database, openDaemonDatabase } from "../../../../reference/daemon/storage/database.js";
import { NetworkType } from "../../../../src/daemon/index.js";
import { sampleNode, sampleNodes } from "../../../support/sample-node.js";

let database: Database;
beforeEach(() => {
  database = openDaemonDatabase();
});
afterEach(() => database.close());

async function store(nodes: readonly ImportedNode[], wanted: { id?: number; name?: string; selectedOrdinal?: number }) {
  return storeImport(database, {
    id: 0,
    name: "A",
    selectedOrdinal: 0,
    ...wanted,
    nodes,
    blocks: await packNodes(nodes),
  });
}

const networks = () => database.all("select * from network");

describe("storeImport", () => {
  it("keeps the name of a record if none is given", async () => {
    await store(sampleNodes([1]), { name: "A" });
    await store(sampleNodes([1]), { id: 1, name: "" });
    expect(networks()).toMatchObject([{ name: "A" }]);
    await store(sampleNodes([1]), { id: 1, name: "B" });
    expect(networks()).toMatchObject([{ name: "B" }]);
  });

  it.each<[what: string, nodes: ImportedNode[], want: number]>([
    ["has another port", [{ ordinal: 2, node: sampleNode({ name: "Node 2", port: 444 }) }], 0],
    ["has another server", [{ ordinal: 2, node: sampleNode({ name: "Node 2", server: "b.example" }) }], 0],
    ["has another protocol", [{ ordinal: 2, node: sampleNode({ name: "Node 2", protocol: "vless" }) }], 0],
    ["has another password", [{ ordinal: 2, node: sampleNode({ name: "Node 2", settings: { password: "x" } }) }], 2],
    ["is there twice, once before", [1, 2].map((ordinal) => ({ ordinal, node: sampleNode({ name: "Node 2" }) })), 2],
    ["is there twice, elsewhere", [3, 4].map((ordinal) => ({ ordinal, node: sampleNode({ name: "Node 2" }) })), 3],
    [
      "is there twice, with another password at its place",
      [
        { ordinal: 2, node: sampleNode({ name: "Node 2", settings: { password: "x" } }) },
        { ordinal: 5, node: sampleNode({ name: "Node 2" }) },
      ],
      5,
    ],
  ])("follows the selected node if it %s", async (_, nodes, want) => {
    await store(sampleNodes([1, 2, 3]), { selectedOrdinal: 2 });
    expect(await store(nodes, { id: 1 })).toEqual({ id: 1, selectedOrdinal: want });
  });

  it("rejects a missing record or one of another type, and stores nothing", async () => {
    database.run("insert into network (type, name) values (?, ?)", NetworkType.Mesh, "mesh");
    await expect(store(sampleNodes([1]), { id: 1, name: "B" })).rejects.toMatchObject({
      code: Code.FailedPrecondition,
    });
    await expect(store(sampleNodes([1]), { id: 9 })).rejects.toMatchObject({ code: Code.NotFound });
    expect(networks()).toMatchObject([{ name: "mesh" }]);
    expect(database.all("select * from node_block")).toEqual([]);
  });
});
