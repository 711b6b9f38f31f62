import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { contractOf, daemon, exitCode, toJsonReport, type VerifyReport, verify } from "../src/verify.js";
import { startLibrary } from "./contracts/library/server.js";
import { startMuseum } from "./contracts/museum/server.js";

const projectOf = (name: string) => fileURLToPath(new URL(`contracts/${name}/accord.yaml`, import.meta.url));
const museum = contractOf("museum", projectOf("museum"));
const library = contractOf("library", projectOf("library"));

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

describe("verify by a contract in OpenAPI", () => {
  it.each([
    ["a server that keeps the contract", undefined, 0, []],
    ["a server that accepts any room", "create-any-room", 1, ["exhibits.create.unknown-room"]],
  ] as const)("judges %s", async (_, fault, code, broken) => {
    const { url, statesUrl } = await startedBy(startMuseum(fault));
    const report = await verify(museum, url, { statesUrl, seed: 1 });
    expect([exitCode(report), brokenBy(report)]).toEqual([code, code === 0 ? [] : expect.arrayContaining([...broken])]);
  });
});

describe("verify by a contract in Protobuf", () => {
  it.each([
    ["a server that keeps the contract", undefined, 0, []],
    ["a server that returns the first book, whatever the id", "get-first", 1, ["get-book.id"]],
  ] as const)("judges %s", async (_, fault, code, broken) => {
    const { url } = await startedBy(startLibrary(fault));
    const report = await verify(library, url, { degree: "everything" });
    expect([exitCode(report), brokenBy(report)]).toEqual([code, code === 0 ? [] : expect.arrayContaining([...broken])]);
  });
});

it("takes the contracts that ship, and names unknown ones", async () => {
  await expect(verify(daemon, "http://127.0.0.1:1", {})).rejects.toThrow("cannot be reached");
  expect(() => contractOf("museums", projectOf("museum"))).toThrow(
    "There is no contract museums: did you mean `museum`?",
  );
});
