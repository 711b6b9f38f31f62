import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { exitCode, toJsonReport, type VerifyReport, verifyRestServer, verifyRpcServer } from "../src/verify.js";
import { startLibrary } from "./contracts/library/server.js";
import { startMuseum } from "./contracts/museum/server.js";

const projectOf = (name: string) => fileURLToPath(new URL(`contracts/${name}/accord.yaml`, import.meta.url));
const museum = { contract: "museum", project: projectOf("museum") };
const library = { contract: "library", project: projectOf("library") };

async function startedBy<Server extends { readonly close: () => Promise<void> }>(
  starting: Promise<Server>,
): Promise<Server> {
  const server = await starting;
  onTestFinished(server.close);
  return server;
}

function brokenBy(report: VerifyReport): string[] {
  return toJsonReport(report).rules.flatMap(({ id, state }) => (state === "broken" ? id : []));
}

describe("verifyRestServer", () => {
  it.each([
    ["a server that keeps the contract", undefined, 0, []],
    ["a server that accepts any room", "create-any-room", 1, ["exhibits.create.unknown-room"]],
  ] as const)("judges %s", async (_, fault, code, broken) => {
    const { url, statesUrl } = await startedBy(startMuseum(fault));
    const report = await verifyRestServer({ ...museum, url, statesUrl, seed: 1 });
    expect([exitCode(report), brokenBy(report)]).toEqual([code, code === 0 ? [] : expect.arrayContaining([...broken])]);
  });
});

describe("verifyRpcServer", () => {
  it.each([
    ["a server that keeps the contract", undefined, 0, []],
    ["a server that returns the first book, whatever the id", "get-first", 1, ["get-book.id"]],
  ] as const)("judges %s", async (_, fault, code, broken) => {
    const { url } = await startedBy(startLibrary(fault));
    const report = await verifyRpcServer({ ...library, address: url, degree: "everything" });
    expect([exitCode(report), brokenBy(report)]).toEqual([code, code === 0 ? [] : expect.arrayContaining([...broken])]);
  });
});

it("names a wrong kind and an unknown name of a contract", async () => {
  await expect(verifyRestServer({ ...library, url: "http://127.0.0.1:1" })).rejects.toThrow("call verifyRpcServer");
  await expect(verifyRpcServer({ ...museum, address: "http://127.0.0.1:1" })).rejects.toThrow("call verifyRestServer");
  await expect(verifyRestServer({ ...museum, contract: "museums", url: "http://127.0.0.1:1" })).rejects.toThrow(
    "There is no contract museums: did you mean `museum`?",
  );
});
