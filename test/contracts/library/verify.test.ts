import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import type { RpcContract } from "../../../src/contract/rpc/contract.js";
import { loadRpcContract } from "../../../src/contract/rpc/load-rpc-contract.js";
import { toJsonReport } from "../../../src/verify/model/to-json-report.js";
import type { VerifyReport } from "../../../src/verify/model/verify-report.js";
import { verifyRpc } from "../../../src/verify/rpc/verify-rpc.js";
import { type LibraryFault, libraryFaults } from "./faults.js";
import { startLibrary } from "./server.js";

let contract: RpcContract;
beforeAll(async () => {
  contract = await loadRpcContract({ name: "library", proto: fileURLToPath(new URL("proto", import.meta.url)) });
});

async function verify(fault?: LibraryFault): Promise<VerifyReport> {
  const server = await startLibrary(fault);
  return verifyRpc(contract, { address: server.url }).finally(server.close);
}

/** The rules that a report calls broken or deviating, and the RPCs that it calls missing. */
function blamedBy(report: VerifyReport): string[] {
  const rules = toJsonReport(report).rules.filter(({ state }) => state === "broken" || state === "deviating");
  const missing = report.operations?.filter(({ presence }) => presence === "not-implemented") ?? [];
  return [...rules, ...missing].map(({ id }) => id);
}

describe("verifyRpc on the library", () => {
  it("finds every rule kept by a server that keeps the contract", async () => {
    const report = await verify();
    expect(report.checks.filter(({ outcome }) => outcome.kind !== "passed")).toEqual([]);
    const kept = toJsonReport(report).rules.filter(({ state }) => state === "kept");
    expect(kept.map(({ id }) => id).sort()).toEqual(contract.rules.map(({ id }) => id).sort());
  });

  it.each(Object.entries(libraryFaults))("catches the fault %s", async (fault, { blames }) => {
    expect(blamedBy(await verify(fault as LibraryFault))).toContain(blames);
  });
});
