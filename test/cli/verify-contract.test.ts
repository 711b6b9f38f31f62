import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import type { LibraryFault } from "../contracts/library/faults.js";
import { startLibrary } from "../contracts/library/server.js";
import { makeFolder } from "../support/museum.js";
import { runInFolder, runInProcess } from "../support/run-in-process.js";

const folder = fileURLToPath(new URL("../contracts/library", import.meta.url));

const museum = fileURLToPath(new URL("../contracts/museum", import.meta.url));

async function serveLibrary(fault?: LibraryFault): Promise<string> {
  const server = await startLibrary(fault);
  onTestFinished(() => server.close());
  return server.url;
}

describe("accord verify of a contract of accord.yaml", () => {
  it("verifies a server, and passes if it keeps the contract", async () => {
    const { code, stdout } = await runInFolder(folder, "verify", "library", await serveLibrary(), "--disposable");
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining("library") });
  });

  it("fails if the server breaks a rule, and shows a command that repeats the call", async () => {
    const args = ["verify", "library", await serveLibrary("get-first"), "--disposable", "--only", "get-book.id"];
    const { code, stdout } = await runInFolder(folder, ...args);
    expect(code).toBe(1);
    expect(stdout).toContain("get-book.id");
    expect(stdout).toContain("buf curl --schema proto --protocol grpc");
  });

  it("takes the project by option, and other names of services", async () => {
    const args = ["--project", `${folder}/accord.yaml`, "--service", "Loans=None", "--only", "Loans/Return"];
    const { code, stdout } = await runInProcess("verify", "library", await serveLibrary(), "--disposable", ...args);
    expect(code).toBe(1);
    expect(stdout).toContain("Loans/Return");
  });

  it.each([
    [["none", "http://127.0.0.1:1"], "There is no contract none"],
    [["library", "127.0.0.1:1"], "This is not the address of a server"],
    [["library", "http://127.0.0.1:1", "--service", "Loans"], "It must be NAME=OTHER"],
  ])("rejects %j", async (args, message) => {
    const { code, stderr } = await runInFolder(folder, "verify", ...args);
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
  });

  it("says from the start what it does with a large document", async () => {
    const responses = { 200: { description: "a".repeat(3_000) } };
    const paths = Object.entries(Array(501).fill({ get: { responses } })).map(([id, item]) => [`/${id}`, item]);
    const openapi = { openapi: "3.1.0", info: { title: "A", version: "1" }, paths: Object.fromEntries(paths) };
    const large = makeFolder({ "accord.yaml": "contracts: {large: {openapi: openapi.json}}", "openapi.json": openapi });
    const { stderr } = await runInFolder(large, "verify", "large", "http://127.0.0.1:1", "--operation", "GET /1");
    expect(stderr).toMatch(
      /^accord: reading \S*openapi\.json, which has [\d.]+ MiB\naccord: deriving the checks of 501 /,
    );
  });

  it.each(["--disposable", "--allow-writes"])("says on another machine that it may write with %s", async (option) => {
    const { code, stderr } = await runInFolder(folder, "verify", "library", "http://0.0.0.0:1", option, "--rate", "5");
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(new RegExp(`^accord: this run writes to 0\\.0\\.0\\.0, as ${option} allows$`, "m")),
    });
  });

  it.each<[option: string, ...value: string[]]>([
    ["--value", "a=b"],
    ["--feature-level", "1"],
    ["--seed", "1"],
  ])("rejects %s for a contract in Protobuf", async (...option) => {
    const { code, stderr } = await runInFolder(folder, "verify", "library", "http://127.0.0.1:1", ...option);
    const message = `${option[0]} does not apply to library, a contract in Protobuf: omit it`;
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
  });

  it.each<[option: string, value: string]>([
    ["--package", "x"],
    ["--protocol", "grpc"],
    ["--log-file", "x"],
    ["--service", "A=B"],
  ])("rejects %s for a contract in OpenAPI", async (...option) => {
    const { code, stderr } = await runInFolder(museum, "verify", "museum", "http://127.0.0.1:1/v2", ...option);
    const message = `${option[0]} does not apply to museum, a contract in OpenAPI: omit it`;
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
  });
});
