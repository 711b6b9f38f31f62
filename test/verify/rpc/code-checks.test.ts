import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { RpcContract } from "../../../src/contract/rpc/contract.js";
import { loadRpcContract } from "../../../src/contract/rpc/load-rpc-contract.js";
import type { Degree } from "../../../src/report/model/degree.js";
import { verifyRpc } from "../../../src/verify/rpc/verify-rpc.js";
import { startLibrary } from "../../contracts/library/server.js";

/** A check of its own, and one in the place of a case. Plain objects, because this folder has no package. */
const checks = `
export const byAuthor = {
  id: "workflow add-and-get",
  operation: "Catalogue",
  summary: "A book that was added is found",
  rules: ["get-book.whole"],
  calls: ["Catalogue/AddBook", "Catalogue/GetBook"],
  run: async ({ call, skip, fail }) => {
    const { status, reply } = await call("Catalogue/AddBook", { book: { title: "Elegies", medium: "MEDIUM_PAPER" } });
    if (status !== "ok") return skip("no book can be added");
    const found = await call("Catalogue/GetBook", { id: reply.id });
    if (found.reply?.title !== "Elegies") fail("the title is another one");
  },
};
export const others = [{
  id: "case get-unknown-book",
  run: async ({ runCase, hide }) => {
    (await runCase({ change: (request) => ({ ...request, id: "404" }) })).conclude();
    hide("it shows nothing");
  },
}];
`;

let folder: string;
let contract: RpcContract;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "rpc-checks-"));
  writeFileSync(join(folder, "checks.mjs"), checks);
  const proto = fileURLToPath(new URL("../../contracts/library/proto", import.meta.url));
  const loaded = await loadRpcContract({ name: "library", proto });
  contract = { ...loaded, checks: pathToFileURL(`${folder}/`) };
});
afterAll(() => rmSync(folder, { recursive: true }));

async function outcomes(degree: Degree, fault?: "get-first") {
  const server = await startLibrary(fault);
  onTestFinished(server.close);
  const only = ["workflow add-and-get", "case get-unknown-book"];
  const report = await verifyRpc(contract, { address: server.url, degree, only });
  return Object.fromEntries(report.checks.map(({ id, rules, outcome }) => [id, { rules, ...outcome }]));
}

describe("checks in code of a contract of RPCs", () => {
  it("call the server, and take the places of cases with what they show", async () => {
    expect(await outcomes("everything")).toMatchObject({
      "workflow add-and-get": { kind: "passed" },
      "case get-unknown-book": { kind: "skipped", rules: ["get-book.unknown"], reason: "it shows nothing" },
    });
  });

  it("report what is wrong, with the calls", async () => {
    const { "workflow add-and-get": found } = await outcomes("everything", "get-first");
    expect(found).toMatchObject({ kind: "failed", problems: ["the title is another one"], broken: ["get-book.whole"] });
    expect(found).toHaveProperty("trace.1.command", expect.stringContaining("Catalogue/GetBook"));
  });

  it("are withheld from a server that the run may only read", async () => {
    expect(await outcomes("reads")).toMatchObject({ "workflow add-and-get": { kind: "skipped" } });
  });
});
