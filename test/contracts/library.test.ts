import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import type { RpcContract } from "../../src/contract/rpc/contract.js";
import { loadRpcContract } from "../../src/contract/rpc/load-rpc-contract.js";
import type { JsonReport } from "../../src/report/model/json-report.js";
import { toJsonReport } from "../../src/report/model/to-json-report.js";
import { verifyRpc } from "../../src/verify/rpc/verify-rpc.js";
import { sampleOf } from "../support/thorough.js";
import { type LibraryFault, libraryFaults } from "./library/faults.js";
import { startLibrary } from "./library/server.js";
import { blamed } from "./verify-contract.js";

let library: RpcContract;
beforeAll(async () => {
  library = await loadRpcContract({
    name: "library",
    proto: fileURLToPath(new URL("library/proto", import.meta.url)),
  });
});

async function verify(only: readonly string[] = [], fault?: LibraryFault): Promise<JsonReport> {
  const server = await startLibrary(fault);
  try {
    return toJsonReport(await verifyRpc(library, { address: server.url, degree: "everything", only }));
  } finally {
    await server.close();
  }
}

describe("the library", () => {
  it("keeps every rule if its server makes no mistake", async () => {
    const { checks, rules } = await verify();
    expect(checks.filter(({ verdict }) => verdict !== "passed")).toEqual([]);
    expect(rules.filter(({ state }) => state !== "kept")).toEqual([]);
  });

  it.each(
    sampleOf(Object.entries(libraryFaults), 2).map(
      ([fault, { does, blames }]) => [does, blames, fault as LibraryFault] as const,
    ),
  )("is caught if its server %s: %s", async (_, blames, fault) => {
    expect(blamed(await verify([blames], fault))).toContain(blames);
  });
});
