import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { JsonObject } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runBuf } from "../../../src/base/run-buf.js";
import type { RpcContract } from "../../../src/contract/rpc/contract.js";
import { loadRpcContract } from "../../../src/contract/rpc/load-rpc-contract.js";
import { repeatCommand } from "../../../src/judge/rpc/repeat-command.js";
import { createRpcMock } from "../../../src/mock/rpc/create-rpc-mock.js";
import { toJsonReport } from "../../../src/report/model/to-json-report.js";
import type { VerifyReport } from "../../../src/report/model/verify-report.js";
import { type VerifyRpcOptions, verifyRpc } from "../../../src/verify/rpc/verify-rpc.js";
import { type Answers, honestAnswers, serveLibrary } from "./library/serve.js";

const proto = fileURLToPath(new URL("library", import.meta.url));
let folder = "";
let library: RpcContract;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "accord-rpc-"));
  library = await loadRpcContract({ name: "library", proto, version: "1.2.3" });
});
afterAll(() => rmSync(folder, { recursive: true }));

type Options = Partial<Omit<VerifyRpcOptions, "address">>;

async function verify(answers: Partial<Answers>, options: Options = {}, contract = library): Promise<VerifyReport> {
  const server = await serveLibrary(contract, { ...honestAnswers(), ...(answers as Answers) });
  try {
    return await verifyRpc(contract, { address: server.addresses[0] ?? "", degree: "everything", ...options });
  } finally {
    await server.close();
  }
}

function rulesBy(report: VerifyReport, state: string): string[] {
  return toJsonReport(report).rules.flatMap((rule) => (rule.state === state ? rule.id : []));
}

/** The contract without its cases and rules. */
async function bareLibrary(): Promise<RpcContract> {
  const bare = join(folder, "bare");
  cpSync(proto, bare, { recursive: true, filter: (path) => !/cases|\.ts$/.test(path) });
  return loadRpcContract({ name: "bare", proto: bare });
}

const getBook = "catalogue.v1.Books/GetBook";
const addBook = "catalogue.v1.Books/AddBook";
const lend = "lending.v1.Books/Lend";
const getFine = "Fines/GetFine";

describe("verifyRpc with any contract", () => {
  it.each(["grpc", "grpc-web", "connect"] as const)("finds every rule kept (%s)", async (protocol) => {
    const report = await verify({}, { protocol });
    expect(report.checks.filter(({ outcome }) => outcome.kind !== "passed")).toEqual([]);
    expect(rulesBy(report, "kept").sort()).toEqual(library.rules.map(({ id }) => id).sort());
    expect(report).toMatchObject({ contract: "library", version: "1.2.3" });
  });

  const changed = (rpc: string, change: (reply: JsonObject, request: JsonObject) => JsonObject): Partial<Answers> => {
    const { [rpc]: answer } = honestAnswers();
    return { [rpc]: (request) => change(answer?.(request) ?? {}, request) };
  };
  const withoutPrecision = changed(getBook, (book) => ({ ...book, id: String(Number(book.id)) }));
  it.each<[fault: string, answers: Partial<Answers>, broken: string[]]>([
    ["rounds 64-bit ids", withoutPrecision, ["get-book.id"]],
    ["omits the id", changed(getBook, ({ id: _, ...book }) => book), ["get-book.id"]],
    ["sends another genre", changed(getBook, (book) => ({ ...book, genre: "GENRE_NOVEL" })), ["get-book.genre"]],
    ["omits the genre", changed(getBook, ({ genre: _, ...book }) => book), ["get-book.genre"]],
    ["forgets the copies", changed(getBook, ({ copiesByBranch: _, ...book }) => book), ["get-book.copies"]],
    [
      "sets the other field of a oneof",
      changed(getBook, ({ shelf: _, ...book }) => ({ ...book, loan: { reader: "Ada" } })),
      ["get-book.place"],
    ],
    ["has a wrong time", changed(getBook, (book) => ({ ...book, printedAt: "1999-01-01T00:00:00Z" })), ["get-book.id"]],
    [
      "has every book",
      { [getBook]: ({ id }) => ({ ...honestAnswers()[getBook]?.({ id: "9007199254740993" }), id: id ?? "0" }) },
      ["get-book.unknown"],
    ],
    [
      "refuses with another code",
      {
        [getBook]: (request) => {
          if (request.id === "4") throw new ConnectError("", Code.Internal);
          return honestAnswers()[getBook]?.(request) ?? {};
        },
      },
      ["get-book.unknown"],
    ],
    [
      "lends to somebody else",
      changed(lend, (reply) => ({ ...reply, book: { loan: { reader: "Bob" } } })),
      [`${lend}.response`],
    ],
    ["lists other limits", changed(lend, (reply) => ({ ...reply, limits: ["GENRE_NOVEL"] })), [`${lend}.response`]],
  ])("catches a server that %s", async (_, answers, broken) => {
    const only = ["case atlas", "case unknown-book", "case lend-atlas"];
    const report = await verify(answers, { only });
    expect(rulesBy(report, "broken")).toEqual(broken);
  });

  it("catches a reply that is not the message of the RPC", async () => {
    const { methods } = library;
    const fine = methods.find(({ rpc }) => rpc === getFine);
    const book = methods.find(({ rpc }) => rpc === getBook);
    if (fine === undefined || book === undefined) throw new Error("The contract lacks an RPC");
    // The server answers with a message that lacks the required field of Fine.
    const wrong = { ...library, methods: [{ rpc: getFine, method: { ...fine.method, output: book.method.output } }] };
    const server = await serveLibrary(wrong as RpcContract, { [getFine]: () => ({ title: "No fine" }) });
    try {
      const report = await verifyRpc(library, {
        address: server.addresses[0] ?? "",
        degree: "everything",
        only: [`probe ${getFine}`],
      });
      expect(rulesBy(report, "broken")).toEqual([`${getFine}.response`]);
    } finally {
      await server.close();
    }
  });

  it("reports a missing RPC once, and a case that needs it as skipped", async () => {
    const report = toJsonReport(await verify({ [addBook]: undefined }));
    const failed = report.checks.filter(({ outcome }) => outcome === "failed");
    expect(failed.map(({ id }) => id)).toEqual([`operation ${addBook}`]);
    expect(report.checks.find(({ id }) => id === "case added-book")).toMatchObject({ outcome: "skipped" });
  });

  it("masks secret fields, which `debug_redact` marks", async () => {
    const refuse = () => {
      throw new ConnectError("s3cr3t-t0ken is wrong", Code.Unauthenticated);
    };
    const answers = { ...changed(getBook, (book) => ({ ...book, title: "Other" })), [getFine]: refuse };
    const report = await verify(answers, { only: ["case added-book"] });
    expect(report.checks).toMatchObject([{ outcome: { kind: "failed" } }, {}, {}].slice(0, report.checks.length));
    const text = JSON.stringify(report);
    expect(text).toContain("AddBook");
    expect(text).not.toContain("s3cr3t-t0ken");
  });

  it("takes services with other names", async () => {
    const methods = library.methods.map(({ rpc, method }) => {
      const parent = { ...method.parent, typeName: rpc === getFine ? "old.Penalties" : method.parent.typeName };
      return { rpc, method: { ...method, parent } };
    });
    const names = { services: { Fines: "old.Penalties" } };
    const server = await serveLibrary({ ...library, methods }, honestAnswers());
    const options = { address: server.addresses[0] ?? "", names, only: [`operation ${getFine}`, `operation ${lend}`] };
    const report = await verifyRpc(library, { degree: "everything", ...options }).finally(server.close);
    expect(report.checks.map(({ outcome }) => outcome.kind)).toEqual(["passed", "passed"]);
    await expect(verify({}, { names: { services: { None: "A" } } })).rejects.toThrow(
      "The contract has no service None. It has Books, Fines, Books.",
    );
  });

  it("raises no false alarm for its own mock, which has no state", async () => {
    const mock = await createRpcMock(library);
    try {
      const only = ["case atlas", "case unknown-book", "case lend-atlas", "probe ", "operation "];
      const report = await verifyRpc(library, { address: mock.addresses[0] ?? "", degree: "everything", only });
      expect(report.checks.filter(({ outcome }) => outcome.kind === "failed")).toEqual([]);
    } finally {
      await mock.close();
    }
  });
});

describe("verifyRpc of one RPC", () => {
  it("calls no other, and reports no other", async () => {
    const called = new Set<string>();
    const watched = Object.entries(honestAnswers()).map(([rpc, answer]) => [
      rpc,
      (request: JsonObject) => {
        called.add(rpc);
        return answer(request);
      },
    ]);
    const report = await verify(Object.fromEntries(watched), { operations: [addBook] });
    expect([...called]).toEqual([addBook]);
    expect(toJsonReport(report).operations?.map(({ id }) => id)).toEqual([addBook]);
  });
});

describe("verifyRpc with a contract without cases", () => {
  it("asks for every RPC, and judges its response to an empty request", async () => {
    const bare = await bareLibrary();
    const report = await verify({}, {}, bare);
    expect(report.checks.map(({ id }) => id).sort()).toEqual(
      [getBook, addBook, lend, getFine].flatMap((rpc) => [`operation ${rpc}`, `probe ${rpc}/empty-request`]).sort(),
    );
    expect(report.checks.filter(({ outcome }) => outcome.kind !== "passed")).toEqual([]);
    // The others refuse an empty request.
    expect(rulesBy(report, "kept")).toEqual([`${getFine}.response`]);
    const mock = await createRpcMock(bare);
    const ofMock = await verifyRpc(bare, { address: mock.addresses[0] ?? "", degree: "everything" }).finally(
      mock.close,
    );
    expect(rulesBy(ofMock, "kept")).toHaveLength(4);
  });

  it.each([Code.InvalidArgument, Code.FailedPrecondition, Code.PermissionDenied, Code.Unauthenticated, Code.NotFound])(
    "shows no rule of an RPC that refuses every call with code %i",
    async (code) => {
      const refuse = () => {
        throw new ConnectError("namespace is required", code);
      };
      const refused = [getBook, addBook, lend];
      const report = toJsonReport(
        await verify(Object.fromEntries(refused.map((rpc) => [rpc, refuse])), {}, await bareLibrary()),
      );
      expect(report.rules.map(({ id, state }) => [id, state]).sort()).toEqual(
        [...refused.map((rpc) => [`${rpc}.response`, "not-exercised"]), [`${getFine}.response`, "kept"]].sort(),
      );
      expect(report.exitCode).toBe(3);
      expect(report.operations?.filter(({ state }) => state === "done").map(({ id }) => id)).toEqual([getFine]);
    },
  );
});

it("names the code of a response that says nothing", async () => {
  const fail = () => {
    throw new ConnectError("not started", Code.Unknown);
  };
  const report = toJsonReport(await verify({ [addBook]: fail }, {}, await bareLibrary()));
  expect(report.checks.flatMap(({ verdict, reason }) => (verdict === "skipped" ? [reason] : []))).toEqual([
    "the response says nothing about the request: unknown",
  ]);
});

it.each([
  ["Method GetBook is unimplemented", "not-implemented"],
  ["unknown method GetBook for service LibraryService", "not-implemented"],
  ["", "not-implemented"],
  ["books of id 0 are not supported yet: not implemented", "partial"],
])("counts an RPC that says `%s` of some requests as %s, if it refuses others as not found", async (message, state) => {
  const answer = ({ id }: JsonObject) => {
    throw new ConnectError(
      id === undefined ? message : "no such book",
      id === undefined ? Code.Unimplemented : Code.NotFound,
    );
  };
  const report = toJsonReport(await verify({ [getBook]: answer }, { only: ["case unknown-book", `probe ${getBook}`] }));
  expect(report.operations?.find(({ id }) => id === getBook)?.state).toBe(state);
});

describe("loadRpcContract", () => {
  it("names the RPCs that it cannot call", () => {
    expect(library.unsupported).toEqual([
      {
        rpc: "catalogue.v1.Books/WatchBooks",
        reason: "server streaming is unsupported; only unary RPCs can be called",
      },
    ]);
  });

  it("reads a descriptor set of Buf or another compiler", async () => {
    for (const flags of [[], ["--as-file-descriptor-set"]]) {
      const file = join(folder, `library${flags.length}.binpb`);
      writeFileSync(file, await runBuf(proto, "build", ...flags, "--output", "-#format=binpb"));
      const { methods, rules, files } = await loadRpcContract({ name: "set", proto: file });
      expect(methods.map(({ rpc }) => rpc)).toEqual(library.methods.map(({ rpc }) => rpc));
      expect(rules.map(({ id }) => id)).toEqual(library.methods.map(({ rpc }) => `${rpc}.response`));
      expect(files).toHaveLength(3);
    }
  });

  const withCases = async (text: string, source = "") => {
    const place = mkdtempSync(join(folder, "cases-"));
    cpSync(proto, place, { recursive: true, filter: (path) => !/cases\/|\.ts$/.test(path) });
    writeFileSync(join(place, "cases/1.yaml"), text);
    if (source !== "") writeFileSync(join(place, "more.proto"), source);
    return loadRpcContract({ name: "changed", proto: place });
  };
  it.each([
    ["1.yaml:1: rpc must be one of", "rpc: Books/GetBook\n"],
    [
      "catalogue.v1.Books/WatchBooks: server streaming is unsupported",
      "cases: [{name: a, rpc: catalogue.v1.Books/WatchBooks, reply: {}}]\n",
    ],
    ["1.yaml:1: case a: needs either a reply or an error", `cases: [{name: a, rpc: ${getBook}}]\n`],
    ['key "number" is unknown', `cases: [{name: a, rpc: ${getBook}, request: {number: 1}, reply: {}}]\n`],
    [
      "request: 9007199254740992 may be rounded; write",
      `cases: [{name: a, rpc: ${getBook}, request: {id: 9007199254740993}, reply: {}}]\n`,
    ],
    ["there is no rule a.b", `cases: [{name: a, rule: a.b, rpc: ${getBook}, reply: {}}]\n`],
    ["exact names /loan/none", `cases: [{name: a, rpc: ${getBook}, reply: {}, exact: [/loan/none]}]\n`],
    ["has an unknown key replies", `cases: [{name: a, rpc: ${getBook}, reply: {}, replies: 1}]\n`],
  ])("rejects a mistake: %s", async (message, text) => {
    await expect(withCases(text)).rejects.toThrow(message);
  });

  it("rejects files that Buf cannot compile, that have no service, or that do not exist", async () => {
    await expect(withCases("", 'syntax = "proto3";\nmessage A { B b = 1; }\n')).rejects.toThrow(/more\.proto:2:\d+:/);
    const empty = mkdtempSync(join(folder, "empty-"));
    writeFileSync(join(empty, "a.proto"), 'syntax = "proto3";\nmessage A {}\n');
    await expect(loadRpcContract({ name: "empty", proto: empty })).rejects.toThrow("has no service: add one");
    await expect(loadRpcContract({ name: "none", proto: join(folder, "none") })).rejects.toThrow("There is no ");
  });

  it("gives commands that Buf accepts", async () => {
    const server = await serveLibrary(library, honestAnswers());
    const target = { contract: library, address: server.addresses[0] ?? "", protocol: "grpc" } as const;
    const command = repeatCommand("case atlas", { ...target, rpc: getBook, request: { id: "9007199254740993" } });
    const run = promisify(execFile)("sh", ["-c", `PATH=node_modules/.bin:$PATH; ${command}`]);
    const { stdout } = await run.finally(server.close);
    expect(JSON.parse(stdout)).toMatchObject({ title: "Atlas" });
  });
});
