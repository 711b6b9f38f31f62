import { createServer } from "node:http";
import { create } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { secretsOf } from "../../../proto/checks/secrets.js";
import { listen } from "../../../src/base/listen.js";
import type { RpcCase } from "../../../src/contract/rpc/cases.js";
import { earlierCalls, hostOf, isRecommended } from "../../../src/contract/rpc/evidence.js";
import { loadDaemonContract } from "../../../src/daemon/daemon-contract.js";
import { type DaemonProtocol, ProxySubscriptionPreviewResponseSchema } from "../../../src/daemon/index.js";
import { createDaemonMock } from "../../../src/daemon/mock.js";
import type { CheckOutcome } from "../../../src/report/model/check-result.js";
import { createCall } from "../../../src/verify/rpc/create-call.js";
import { createServerProbe } from "../../../src/verify/rpc/create-server-probe.js";
import { runAll as runEach } from "../../../src/verify/run-all.js";
import { type Handlers, honestHandlers, serveExample, stopLater, targetAt } from "./example-daemon.js";
import { expectMasked } from "./expect-masked.js";
import { named } from "./named-case.js";
import { type CaseTarget, runCase } from "./run-case.js";

const contract = await loadDaemonContract();
const { cases: allCases, rules } = contract;
/**
 * The cases of rules that the requirements state; a daemon may deviate from the others. Without those whose host is silent, for which each
 * run would wait until the daemon gives up.
 */
const cases = allCases.filter((one) => !isRecommended(one, rules) && hostOf(one)?.kind !== "silent");
const protocols: readonly DaemonProtocol[] = ["grpc", "grpc-web", "connect"];

/** A contract without rules: no case needs an answer with evidence. */
const withoutRules = { contract: { ...contract, rules: [] } } as const;

/** Runs all cases, and returns a function that lists the names of the cases with a result of a kind. */
async function runAll(handlers: Handlers, protocol: DaemonProtocol = "grpc", contract: Partial<CaseTarget> = {}) {
  const target = { ...(await serveExample(handlers, protocol)), ...contract };
  const results: { one: RpcCase; result: CheckOutcome }[] = [];
  const probe = createServerProbe(() => createCall(target), target.contract);
  const run = async (one: RpcCase) => {
    results.push({ one, result: await runCase(one, target, probe) });
  };
  await runEach(cases, cases.length, run);
  for (const { one, result } of results) expectMasked(one, result);
  return (kind: CheckOutcome["kind"]) =>
    results.filter(({ result }) => result.kind === kind).map(({ one }) => one.name);
}

const refuse = () => {
  throw new ConnectError("no", Code.FailedPrecondition);
};

const selects = cases
  .filter(({ rpc, given }) => rpc.endsWith("SelectNode") && given !== undefined)
  .map(({ name }) => name);
const afterImports = [...selects, "apply-new-network", "apply-to-existing-network"].sort();

describe("runCase with a daemon that keeps the contract", () => {
  it.each(protocols)("accepts ordinals and ids that the daemon chooses (%s)", async (protocol) => {
    const are = await runAll(honestHandlers(), protocol);
    expect(are("failed")).toEqual([]);
    expect(are("errored")).toEqual([]);
  });

  it.each(protocols)("accepts the mock, which shows nothing about secrets (%s)", async (protocol) => {
    const mock = await createDaemonMock();
    stopLater(mock.close);
    const target = { ...targetAt(mock.addresses[0] ?? "", protocol), ...withoutRules };
    await runEach(cases, cases.length, async (one) => {
      const kind = secretsOf[one.name] === undefined ? "passed" : "skipped";
      expect({ name: one.name, ...(await runCase(one, target)) }).toMatchObject({ kind });
    });
  });

  it("accepts fields that the contract does not know", async () => {
    const honest = honestHandlers();
    const previewImport: Handlers["previewImport"] = async (request, context) => {
      const reply = create(ProxySubscriptionPreviewResponseSchema, await honest.previewImport(request, context));
      reply.$unknown = [{ no: 99, wireType: 2, data: new Uint8Array([3, 110, 101, 119]) }];
      return reply;
    };
    const are = await runAll({ ...honest, previewImport }, "grpc", withoutRules);
    expect(are("skipped")).toEqual([]);
    expect(are("passed")).toHaveLength(cases.length);
  });

  it("accepts failures unless the contract requires success", async () => {
    const fail = () => {
      throw new ConnectError("Please log in", Code.Unauthenticated);
    };
    const are = await runAll({ previewImport: fail, applyImport: fail, selectNode: fail, loginCancel: fail });
    expect(are("failed")).toEqual([]);
    expect(are("errored")).toEqual([]);
    // A daemon that refuses every call shows nothing.
    expect(are("passed")).toEqual([]);
  });

  it("accepts a refusal to create a network", async () => {
    const honest = honestHandlers();
    const are = await runAll({
      ...honest,
      applyImport: (request, context) => (request.id === 0 ? refuse() : honest.applyImport(request, context)),
    });
    expect([...are("failed"), ...are("errored")]).toEqual([]);
    expect(are("skipped")).toEqual(expect.arrayContaining(afterImports));
    expect(are("passed")).toContain("login-cancel");
  });

  it("accepts a daemon that does not fetch by http", async () => {
    const fail = () => {
      throw new ConnectError("https alone", Code.InvalidArgument);
    };
    const are = await runAll({ ...honestHandlers(), previewImport: fail, applyImport: fail });
    expect([...are("failed"), ...are("errored")]).toEqual([]);
    expect(are("passed").sort()).toEqual(["apply-without-url", "login-cancel"]);
  });

  it("sends values of earlier replies", async () => {
    const honest = honestHandlers();
    const asked: { id: number; selectedOrdinal: number }[] = [];
    const target = await serveExample({
      ...honest,
      selectNode: (request, context) => {
        asked.push({ id: request.id, selectedOrdinal: request.selectedOrdinal });
        return honest.selectNode(request, context);
      },
    });
    expect(await runCase(named("select-second-node"), target)).toMatchObject({ kind: "passed" });
    expect(await runCase(named("select-same-node"), target)).toMatchObject({ kind: "passed" });
    expect(asked).toEqual([
      { id: 40, selectedOrdinal: 1 },
      { id: 41, selectedOrdinal: 0 },
    ]);
  });
});

describe("runCase with a case that shows nothing", () => {
  const secretive = Object.keys(secretsOf);
  const notFetching =
    "the server does not fetch from http://127.0.0.1, where the hosts of the cases are served. Allow it to";

  /** The reasons why cases are skipped, by name. */
  async function reasonsOf(handlers: Handlers, names: readonly string[]): Promise<Record<string, string>> {
    const target = await serveExample(handlers);
    const results = await Promise.all(names.map(async (name) => [name, await runCase(named(name), target)] as const));
    return Object.fromEntries(
      results.map(([name, result]) => [name, result.kind === "skipped" ? result.reason : result.kind]),
    );
  }

  const allAre = (names: readonly string[], reason: string) => Object.fromEntries(names.map((name) => [name, reason]));

  it("skips a case with a secret if the RPC is missing", async () => {
    const later = ["select-unknown-node", "redact-on-update"];
    expect(await reasonsOf({}, [...secretive, "select-unknown-node", "preview-clash"])).toEqual({
      ...allAre([...secretive, "preview-clash"], "the server answered `unimplemented`"),
      ...allAre(later, "the server answered `unimplemented`"),
    });
  });

  it("skips a case with a secret if the daemon never fetches", async () => {
    const fail = () => {
      throw new ConnectError("The address is not public", Code.InvalidArgument);
    };
    const failing = { ...honestHandlers(), previewImport: fail, applyImport: fail };
    expect(
      await reasonsOf(failing, [...secretive, "preview-web-page", "preview-clash", "apply-unknown-network"]),
    ).toEqual(allAre([...secretive, "preview-web-page", "preview-clash", "apply-unknown-network"], notFetching));
    const empty = { ...honestHandlers(), previewImport: () => ({}), applyImport: () => ({}) };
    expect(await reasonsOf(empty, secretive)).toEqual({
      ...allAre(secretive, notFetching),
      "redact-in-later-call": "the server did not refuse the earlier call failed",
      "redact-second-failure": "the server did not refuse the earlier call first",
    });
  });

  it("skips only the cases whose URL is not fetched", async () => {
    const { previewImport } = honestHandlers();
    const handlers: Handlers = {
      ...honestHandlers(),
      previewImport: (request, context) => {
        if (request.url.includes("@")) throw new ConnectError("No credentials, please", Code.InvalidArgument);
        return previewImport(request, context);
      },
    };
    const names = ["redact-user-name", "redact-percent-encoded", "redact-password", "redact-path", "redact-fragment"];
    const unfetched = "the server answered without fetching the URL";
    expect(await reasonsOf(handlers, names)).toEqual({
      "redact-user-name": unfetched,
      "redact-percent-encoded": unfetched,
      "redact-password": "passed",
      "redact-path": "passed",
      "redact-fragment": "passed",
    });
  });

  it("skips a refused call that the contract leaves open", async () => {
    const refused = "the server refused the call, which the contract leaves open";
    expect(await reasonsOf({ ...honestHandlers(), loginCancel: refuse }, ["login-cancel"])).toEqual({
      "login-cancel": refused,
    });
  });

  it("skips a case if its earlier calls are refused", async () => {
    const names = ["select-second-node", "select-nothing"];
    const fail = () => {
      throw new ConnectError("The address is not public", Code.InvalidArgument);
    };
    const refused = expect.stringMatching(
      /^the server refused the earlier call \S+ of ProxySubscriptions\/ApplyImport: status: expected "ok", got "\w+" with/,
    );
    expect(await reasonsOf({ ...honestHandlers(), applyImport: refuse }, names)).toEqual(allAre(names, refused));
    expect(await reasonsOf({ ...honestHandlers(), previewImport: fail }, names)).toEqual(allAre(names, notFetching));
  });

  it("skips a case if its earlier replies lack a value", async () => {
    const previewImport = () => ({ node: [{ ordinal: 1 }] });
    expect(await reasonsOf({ ...honestHandlers(), previewImport }, ["select-second-node"])).toEqual({
      "select-second-node": "no earlier step has $preview.node.1.ordinal",
    });
  });

  it("needs no earlier call to an RPC that a case requires to succeed", () => {
    const earlier = new Set(cases.flatMap(earlierCalls).map(({ call }) => call));
    const fixed = cases.filter(({ rpc, reply, open }) => earlier.has(rpc) && reply !== undefined && open === undefined);
    expect(fixed.map(({ name }) => name)).toEqual([]);
  });

  it("reports a leak even if the daemon never fetches", async () => {
    const previewImport: Handlers["previewImport"] = ({ url }) => {
      throw new ConnectError(`${url} is not public`, Code.InvalidArgument);
    };
    const previews = secretive.filter((name) => named(name).rpc.endsWith("PreviewImport"));
    expect(await reasonsOf({ ...honestHandlers(), previewImport }, previews)).toEqual(allAre(previews, "failed"));
  });

  it("makes one extra call for any number of cases", async () => {
    const asked: string[] = [];
    const target = await serveExample({
      previewImport: ({ url }) => {
        asked.push(url);
        return {};
      },
    });
    const probe = createServerProbe(() => createCall(target), target.contract);
    for (const name of ["redact-password", "redact-fragment", "redact-path"]) await runCase(named(name), target, probe);
    expect(asked).toHaveLength(4);
  });
});

describe("runCase with a daemon that breaks the contract", () => {
  it.each(protocols)("reports a wrong id (%s)", async (protocol) => {
    const selectNode: Handlers["selectNode"] = ({ id, selectedOrdinal }) => ({ id: id + 1, selectedOrdinal });
    const target = await serveExample({ ...honestHandlers(), selectNode }, protocol);
    expect(await runCase(named("select-second-node"), target)).toMatchObject({
      kind: "failed",
      broken: ["select-node.returns-id"],
      problems: ["/id: expected 40, got 41"],
      trace: [{}, {}, { request: expect.stringContaining('"id": 40'), response: expect.stringContaining('"id": 41') }],
    });
  });

  it("reports a failure where success is recommended", async () => {
    const selectNode = () => {
      throw new ConnectError("no", Code.Internal);
    };
    const target = await serveExample({ ...honestHandlers(), selectNode });
    expect(await runCase(named("select-ordinal-of-preview"), target)).toMatchObject({
      kind: "failed",
      broken: ["select-node.preview-ordinals"],
    });
    expect(await runCase(named("select-second-node"), target)).toMatchObject({ kind: "skipped" });
  });

  it("shows a part of a long error message", async () => {
    const text = "\\u0041%41".repeat(50_000);
    const selectNode = () => {
      throw new ConnectError(text, Code.Internal);
    };
    const target = await serveExample({ ...honestHandlers(), selectNode }, "connect");
    const result = await runCase(named("select-ordinal-of-preview"), target);
    if (result.kind !== "failed") throw new Error(`It is ${result.kind}`);
    expect(result.problems).toEqual([
      expect.stringMatching(/^status: expected "ok", got "internal" with .{290,310}…$/),
    ]);
    expect(result.trace.at(-1)?.response).toMatch(/^internal: .{3900,4000}…$/m);
    expect(result.trace.at(-1)?.response?.length).toBeLessThan(5_000);
  });

  it("reports a missing RPC", async () => {
    const { loginCancel: _, ...handlers } = honestHandlers();
    const are = await runAll(handlers);
    expect(are("failed")).toEqual(["login-cancel"]);
  });

  it("reports a daemon without RPCs", async () => {
    const are = await runAll({});
    expect(are("failed").sort()).toEqual(["apply-without-url", "login-cancel", "preview-trojan-list"]);
  });

  it("leaves it to the watch of the server whom to blame for a timeout where success is required", async () => {
    // Cases that require success make earlier calls, to which the limit would apply too.
    const { open: _, ...one } = named("preview-trojan-list");
    const target = await serveExample({ previewImport: () => new Promise(() => {}) });
    expect(await runCase(one, { ...target, timeoutMs: 100 })).toMatchObject({
      kind: "errored",
      reason: expect.stringContaining("did not answer within 100 ms"),
    });
  });
});

describe("runCase with a case that cannot run", () => {
  it("names and shows the earlier call with a malformed answer", async () => {
    const { url, close } = await listen(createServer((_, response) => response.end("Welcome")));
    stopLater(close);
    expect(await runCase(named("select-second-node"), targetAt(url, "connect"))).toMatchObject({
      kind: "errored",
      reason: "A call of ProxySubscriptions/PreviewImport got no answer of the RPC protocol",
      trace: [{ response: expect.stringContaining("not an RPC answer") }],
    });
  });

  it("says that the daemon is unreachable", async () => {
    for (const name of ["select-second-node", "redact-path", "login-cancel"]) {
      expect(await runCase(named(name), targetAt("unix:/tmp/there-is-no-such.sock"))).toMatchObject({
        kind: "errored",
        reason: expect.stringContaining("cannot be reached"),
      });
    }
  });

  it("says that the call timed out", async () => {
    const target = await serveExample({ previewImport: () => new Promise(() => {}) });
    expect(await runCase(named("redact-path"), { ...target, timeoutMs: 100 })).toMatchObject({
      kind: "errored",
      reason: "The server did not answer within 100 ms",
    });
  });
});
