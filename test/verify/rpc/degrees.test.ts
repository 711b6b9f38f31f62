import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import type { RpcContract } from "../../../src/contract/rpc/contract.js";
import { loadRpcContract } from "../../../src/contract/rpc/load-rpc-contract.js";
import type { JsonReport } from "../../../src/report/model/json-report.js";
import { toJsonReport } from "../../../src/report/model/to-json-report.js";
import { type VerifyRpcOptions, verifyRpc } from "../../../src/verify/rpc/verify-rpc.js";
import { type Answers, honestAnswers, serveLibrary } from "./library/serve.js";

const source = { name: "library", proto: fileURLToPath(new URL("library", import.meta.url)) };
const [getBook, addBook] = ["catalogue.v1.Books/GetBook", "catalogue.v1.Books/AddBook"];

let library: RpcContract;
beforeAll(async () => {
  library = await loadRpcContract({ ...source, reads: ["GetBook"] });
});

/** Verifies a server, and returns the report and the RPCs that it was asked for. */
async function verify(options: Partial<VerifyRpcOptions>, answers: Answers = honestAnswers(), contract = library) {
  const called: string[] = [];
  const recording = Object.fromEntries(
    Object.entries(answers).map(([rpc, answer]): [string, Answers[string]] => [
      rpc,
      (request) => {
        called.push(rpc);
        return answer(request);
      },
    ]),
  );
  const server = await serveLibrary(contract, recording);
  try {
    const report = await verifyRpc(contract, { address: server.addresses[0] ?? "", ...options });
    return { report: toJsonReport(report), called };
  } finally {
    await server.close();
  }
}

function presenceIn({ operations = [] }: JsonReport): Record<string, string> {
  return Object.fromEntries(operations.map(({ id, presence }) => [id, presence]));
}

describe("verifyRpc", () => {
  it("calls only reads by default, and finds the other RPCs by server reflection", async () => {
    const { report, called } = await verify({});
    expect(new Set(called)).toEqual(new Set([getBook]));
    expect(report.verdict.word).toBe("PARTIAL");
    expect(presenceIn(report)).toMatchObject({ [getBook]: "there", [addBook]: "there" });
    expect(report.needs?.map(({ need }) => need)).toEqual([{ kind: "degree", degree: "everything" }]);
  });

  it("calls nothing of a contract without reads", async () => {
    const { report, called } = await verify({}, honestAnswers(), await loadRpcContract(source));
    expect(called).toEqual([]);
    expect(report).toMatchObject({ exitCode: expect.any(Number), degree: "reads" });
  });

  it("asks from `undone` on with bytes that are no message, on which no server acts", async () => {
    const { [addBook]: _, ...others } = honestAnswers();
    const { report, called } = await verify({ degree: "undone", protocol: "grpc-web" }, others);
    expect(new Set(called)).toEqual(new Set([getBook]));
    expect(presenceIn(report)[getBook]).toBe("there");
    expect(presenceIn(report)["Fines/GetFine"]).toBe("there");
  });

  it("calls everything in `everything`, and names what it created", async () => {
    const { report, called } = await verify({ degree: "everything" });
    expect(called).toContain(addBook);
    expect(called.lastIndexOf(getBook)).toBeLessThan(called.length);
    expect(report.created?.[0]).toEqual({ request: addBook, thing: "Book 101" });
  });

  it("never calls an excluded RPC", async () => {
    const { report, called } = await verify({ degree: "everything", exclude: ["AddBook"] });
    expect(called).not.toContain(addBook);
    expect(presenceIn(report)).not.toHaveProperty([addBook]);
    expect(report.needs?.map(({ need }) => need)).toContainEqual({ kind: "exclusion", name: "AddBook" });
    await expect(verify({ exclude: ["AddBok"] })).rejects.toThrow("No operation or check has the name `AddBok`");
  });

  it("rejects a read that names no RPC", async () => {
    await expect(loadRpcContract({ ...source, reads: ["GetBok"] })).rejects.toThrow(
      "contracts.library.reads names no RPC: GetBok",
    );
  });
});
