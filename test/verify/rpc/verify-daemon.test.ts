import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { Code, ConnectError } from "@connectrpc/connect";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { createDaemonReference } from "../../../reference/daemon/create-daemon-reference.js";
import { CouldNotRunError } from "../../../src/base/could-not-run-error.js";
import { listen } from "../../../src/base/listen.js";
import { findShowableRules } from "../../../src/contract/rpc/evidence.js";
import { loadDaemonContract } from "../../../src/daemon/daemon-contract.js";
import { exitCode, toJsonReport } from "../../../src/report/model/to-json-report.js";
import type { VerifyReport } from "../../../src/report/model/verify-report.js";
import { rpcChecksOf } from "../../../src/verify/rpc/rpc-code-checks.js";
import { verifyRpc } from "../../../src/verify/rpc/verify-rpc.js";
import { type Handlers, honestHandlers, serveExample } from "./example-daemon.js";
import { ids, outcomes, useReference, verifyExample } from "./verify-example.js";

const contract = await loadDaemonContract();
const { rules, cases } = contract;
/** Cases of rules that the requirements state, so that a daemon with other choices passes them. */
const quick = [
  ...["case select-second-node", "case select-after-other-import", "case select-same-node"],
  ...["case apply-new-network", "case apply-second-node", "case login-cancel"],
];

const { verify, address } = useReference();

const returnOtherId: Handlers["selectNode"] = ({ id, selectedOrdinal }) => ({ id: id + 1, selectedOrdinal });

// test/reference/verify.test.ts shows the same over each protocol.
function unimplemented(): never {
  throw new ConnectError("", Code.Unimplemented);
}

describe("verifyDaemon on the reference", () => {
  let report: VerifyReport;
  beforeAll(async () => {
    report = await verify();
  });

  it("finds that it keeps every rule", () => {
    expect(report.checks.filter(({ outcome }) => outcome.kind !== "passed")).toMatchObject([
      { id: "log file", outcome: { kind: "skipped", reason: "it needs --log-file" } },
    ]);
    expect(exitCode(report)).toBe(0);
    const states = toJsonReport(report).rules.map(({ id, state }) => [id, state]);
    const known = (untestable?: string) => (untestable === undefined ? "kept" : "untestable");
    expect(states).toEqual(
      rules.map(({ id, untestable }) => [id, id === "redaction.logs" ? "not-exercised" : known(untestable)]),
    );
  });

  it("reports the facts of the run, and a check for each case, each RPC and the log, sorted by id", async () => {
    expect(ids(report)).toEqual([
      ...cases.map(({ name }) => `case ${name}`).sort(),
      "log file",
      ...[...new Set(cases.map(({ rpc }) => `operation ${rpc}`))].sort(),
      "server reflection",
    ]);
    expect(report).toMatchObject({
      contract: "daemon",
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      target: address(),
      partial: false,
      stopped: false,
      startedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    });
    expect([report.level, report.seed]).toEqual([undefined, undefined]);
    const inCode = await rpcChecksOf(contract);
    for (const one of cases) {
      expect(report.checks).toContainEqual({
        id: `case ${one.name}`,
        kind: "case",
        operation: one.rpc,
        summary: one.summary,
        rules: inCode.find(({ id }) => id === `case ${one.name}`)?.rules ?? findShowableRules(one, contract),
        outcome: { kind: "passed" },
        durationMs: expect.any(Number),
      });
    }
  });
});

describe("the report of verifyDaemon", () => {
  it("lists every rule with its resource, and the reason if it is untestable", async () => {
    const report = await verify({ only: ["case login-cancel"] });
    const reported = rules.map(({ id, text, source, strength, untestable }) => {
      return { id, text, source, strength, resource: id.split(".")[0], untestable };
    });
    expect(report.rules).toEqual(reported);
  });

  it.each<[string, Partial<Handlers>, string]>([
    ["SelectNode", { selectNode: unimplemented }, "ProxySubscriptions/SelectNode"],
    ["PreviewImport", { previewImport: unimplemented }, "ProxySubscriptions/PreviewImport"],
    ["LoginCancel", { loginCancel: unimplemented }, "MeshControlService/LoginCancel"],
  ])("says once that a daemon does not have %s, and breaks no rule for it", async (_, handlers, rpc) => {
    const known = new Map([[`operation ${rpc}`, "It comes later."]]);
    const only = ["operation ", "case select-s", "case preview-trojan-list", "case login-cancel"];
    const verified = await verifyExample(handlers, { only, knownFailing: known });
    const report = toJsonReport(verified);
    const found = report.operations?.flatMap(({ id, state }) => (state === "not-implemented" ? id : []));
    expect(found).toEqual([rpc]);
    expect(report.needs?.map((one) => one.need)).toContainEqual({ kind: "operation", operations: [rpc] });
    const failed = report.checks.filter(({ outcome }) => outcome === "failed");
    expect(failed).toMatchObject([{ id: `operation ${rpc}`, verdict: "expected" }]);
    expect(toJsonReport(verified).rules.filter(({ state }) => state === "broken" || state === "deviating")).toEqual([]);
    expect(report.exitCode).toBe(0);
    expect(exitCode(await verifyExample(handlers, { only }))).toBe(1);
    expect(exitCode(await verifyExample({}, { only, knownFailing: known }))).toBe(1);
  });

  it("does not take a daemon that rejects a URL as unimplemented for one without the RPC", async () => {
    const { previewImport } = honestHandlers();
    const choosy: Handlers["previewImport"] = (request, context) => {
      if (!request.url.startsWith("http://127.0.0.1")) throw new ConnectError("", Code.Unimplemented);
      return previewImport(request, context);
    };
    const report = await verifyExample({ previewImport: choosy }, { operations: ["PreviewImport"] });
    expect(toJsonReport(report).operations).toMatchObject([{ presence: "there" }]);
    expect(outcomes(report)).toMatchObject({ "operation ProxySubscriptions/PreviewImport": "passed" });
  });

  it("selects the cases that call only some RPCs, and tells which others call these", async () => {
    const { checks, beyond } = await verify({ operations: ["SelectNode", "ApplyImport"], jobs: 8 });
    const called = new Set(checks.map(({ operation }) => operation));
    expect([...called].sort()).toEqual(["ProxySubscriptions/ApplyImport", "ProxySubscriptions/SelectNode"]);
    expect(beyond?.operations).toEqual(["ProxySubscriptions/PreviewImport", "MeshControlService/LoginCancel"]);
  });

  it("names the rules of a case that the check found broken", async () => {
    const { checks } = await verifyExample(
      { selectNode: ({ id, selectedOrdinal }) => ({ id: id + 1, selectedOrdinal }) },
      { only: ["case select-second-node"] },
    );
    expect(checks).toMatchObject([
      {
        outcome: {
          kind: "failed",
          problems: [expect.stringMatching(/^\/id: expected \d+, got \d+$/)],
          broken: ["select-node.returns-id"],
        },
      },
    ]);
  });

  it("names broken rules that the case does not name", async () => {
    const { url, close } = await listen(createServer((_, response) => response.end("<!DOCTYPE html>")));
    onTestFinished(close);
    const { checks } = await verify({ address: url, protocol: "connect", only: ["case preview-empty"] });
    expect(checks).toMatchObject([
      {
        rules: ["preview-import.warnings"],
        outcome: { kind: "failed", broken: ["service.unary", "wire.proto3"] },
      },
    ]);
  });

  it("is replaced by a single error if nothing listens at the address", async () => {
    const gone = await createDaemonReference();
    await gone.close();
    const run = verify({ address: gone.addresses[0] ?? "", only: quick });
    await expect(run).rejects.toThrow(CouldNotRunError);
    await expect(run).rejects.toThrow(
      /^The server at http:\/\/127\.0\.0\.1:\d+ cannot be reached: connect ECONNREFUSED [^\n]+\. Start the server, [^\n]+$/,
    );
  });

  it("is replaced by an error if the server does not speak HTTP/2", async () => {
    const { url, close } = await listen(createServer((_, response) => response.writeHead(404).end()));
    onTestFinished(close);
    await expect(verify({ address: url, only: quick })).rejects.toThrow(
      /does not speak HTTP\/2\. .*--protocol connect/,
    );
  });

  it("holds the results from before the daemon died", async () => {
    const { selectNode } = honestHandlers();
    let die = () => {};
    let calls = 0;
    const dying: Handlers["selectNode"] = (...call) => {
      calls += 1;
      // The first call asks whether the daemon has the RPC.
      if (calls > 1) die();
      return selectNode(...call);
    };
    const target = await serveExample({ ...honestHandlers(), selectNode: dying });
    die = target.stop;
    const only = ["case login-cancel", "case select-"];
    const report = await verify({ address: target.address, only, jobs: 1, restartWaitMs: 0 });
    const { "case login-cancel": first, ...others } = outcomes(report);
    expect(first).toBe("passed");
    // The call that met the end of the daemon fails.
    expect(new Set(Object.values(others))).toEqual(new Set(["skipped", "failed"]));
    expect(exitCode(report)).toBe(1);
  });

  it("says that a call timed out", async () => {
    const report = await verifyExample(
      { loginCancel: () => new Promise(() => {}) },
      { only: ["case login-cancel"], timeoutMs: 500 },
    );
    expect(report.checks).toMatchObject([
      {
        outcome: {
          kind: "failed",
          problems: [expect.stringMatching(/^The server did not answer within 500 ms; .*--timeout/)],
        },
      },
    ]);
  });
});

describe("a run of verifyDaemon", () => {
  it("announces the number of checks, then each check as it completes", async () => {
    const reported: (number | string)[] = [];
    const { checks } = await verify({
      only: quick,
      onPlanned: (count) => reported.push(count),
      onCheck: ({ id }) => reported.push(id),
    });
    expect(reported[0]).toBe(checks.length);
    expect(reported.slice(1).sort()).toEqual(ids({ checks }));
  });

  // The calls of other cases overlap.
  const selecting = [...quick.filter((id) => id.includes("select-")), "case select-unknown", "case select-nothing"];

  /** Lets a handler count how many calls are under way at the same time. */
  function createCounter() {
    let [underWay, most] = [0, 0];
    const count =
      <Call extends readonly unknown[], Reply>(handler: (...call: Call) => Reply) =>
      async (...call: Call): Promise<Awaited<Reply>> => {
        underWay += 1;
        most = Math.max(most, underWay);
        await new Promise(setImmediate);
        underWay -= 1;
        return await handler(...call);
      };
    return { count, most: () => most };
  }

  it.each([1, 3])("runs at most %s cases concurrently", async (jobs) => {
    const { count, most } = createCounter();
    const { checks } = await verifyExample(
      { selectNode: count(honestHandlers().selectNode) },
      { only: selecting, jobs },
    );
    expect(checks.length).toBeGreaterThan(3);
    expect(most()).toBeGreaterThan(0);
    expect(most()).toBeLessThanOrEqual(jobs);
  });

  it.each([1, 2])("asks for at most %s RPCs at the same time", async (jobs) => {
    const { count, most } = createCounter();
    const { previewImport, applyImport, selectNode, loginCancel } = honestHandlers();
    const handlers = {
      ...{ previewImport: count(previewImport), applyImport: count(applyImport) },
      ...{ selectNode: count(selectNode), loginCancel: count(loginCancel) },
    };
    const { checks } = await verifyExample(handlers, { only: ["operation "], jobs });
    expect(checks.map(({ outcome }) => outcome.kind)).toEqual(Array(4).fill("passed"));
    expect(most()).toBeGreaterThan(0);
    expect(most()).toBeLessThanOrEqual(jobs);
  });

  it("ends at the first failure with `bail`", async () => {
    const target = await serveExample({ ...honestHandlers(), selectNode: returnOtherId });
    const only = ["case select-same-node", "case select-second-node"];
    const options = { address: target.address, only, jobs: 1 };
    const [whole, bailing] = [await verify(options), await verify({ ...options, bail: true })];
    expect(Object.values(outcomes(whole)).filter((kind) => kind === "failed")).toHaveLength(2);
    expect(Object.values(outcomes(bailing)).filter((kind) => kind === "failed")).toHaveLength(1);
    expect(bailing).toMatchObject({ partial: true, stopped: false });
    expect(exitCode(bailing)).toBe(1);
  });

  it("continues after known failures", async () => {
    const known = ["case select-after-other-import", "case select-same-node", "case select-second-node"];
    const knownFailing = new Map(known.map((id) => [id, "It is new."]));
    const report = await verifyExample(
      { ...honestHandlers(), selectNode: returnOtherId },
      { only: quick, jobs: 1, bail: true, knownFailing },
    );
    expect(ids(report)).toEqual(ids(await verify({ only: quick })));
    expect(report.checks.filter(({ outcome }) => outcome.kind === "failed")).toHaveLength(3);
    expect(exitCode(report)).toBe(0);
  });

  it("returns the completed checks when aborted", async () => {
    const stop = new AbortController();
    const report = await verify({ only: ["case select-"], jobs: 1, signal: stop.signal, onCheck: () => stop.abort() });
    expect(report.checks).toHaveLength(1);
    expect(report).toMatchObject({ partial: true, stopped: true });
    expect(exitCode(report)).toBe(2);
  });

  it("requires only the address", async () => {
    const report = await verifyRpc(await loadDaemonContract(), {
      address: address(),
      degree: "everything",
      only: ["case login-cancel"],
    });
    expect(exitCode(report)).toBe(0);
  });

  it.each([{ jobs: 0 }, { jobs: Number.NaN }, { timeoutMs: -5 }])("rejects %j", async (options) => {
    await expect(verify(options)).rejects.toThrow(CouldNotRunError);
  });

  it("aborts pending calls at once, and does not report them", async () => {
    const stop = new AbortController();
    const { applyImport } = honestHandlers();
    let tell = () => {};
    const reported = new Promise<void>((resolve) => {
      tell = resolve;
    });
    const never = async () => {
      await reported;
      stop.abort();
      return new Promise<never>(() => {});
    };
    const report = await verifyExample(
      { applyImport, selectNode: never },
      { only: ["case login-cancel", "case select-"], jobs: 8, signal: stop.signal, onCheck: tell },
    );
    expect(outcomes(report)).toEqual({ "case login-cancel": "passed" });
    expect(report).toMatchObject({ partial: true, stopped: true });
  });

  it("does not start if already aborted", async () => {
    let asked = 0;
    const ask = () => {
      asked += 1;
      return {};
    };
    const run = verifyExample(
      { previewImport: ask, loginCancel: ask },
      { only: ["case login-cancel"], signal: AbortSignal.abort() },
    );
    await expect(run).rejects.toThrow(CouldNotRunError);
    await expect(run).rejects.toThrow("It was stopped before the first check");
    expect(asked).toBe(0);
  });

  it("applies one deadline to all calls of a case", async () => {
    const honest = honestHandlers();
    const slowly =
      <Call extends unknown[], Reply>(handler: (...call: Call) => Reply | Promise<Reply>) =>
      async (...call: Call): Promise<Reply> => {
        // Each call stays below the timeout, but not all three together.
        await sleep(400);
        return handler(...call);
      };
    const slow = {
      previewImport: slowly(honest.previewImport),
      applyImport: slowly(honest.applyImport),
      selectNode: slowly(honest.selectNode),
    };
    const only = ["case select-second-node"];
    const [short, long] = await Promise.all([
      verifyExample(slow, { only, timeoutMs: 1_000 }),
      verifyExample(slow, { only, timeoutMs: 300_000 }),
    ]);
    expect(Object.values(outcomes(short))).not.toContain("passed");
    expect(Object.values(outcomes(long))).toEqual(["passed"]);
  });

  it.each([
    [{ package: "acme proxy" }, "It must be the name of a package, such as acme.proxy.v2."],
    [{ services: { MeshControlService: "" } }, /^It must be the name of a service, such as Mesh/],
  ])("rejects malformed names: %o", async (names, message) => {
    await expect(verify({ names })).rejects.toThrow(CouldNotRunError);
    await expect(verify({ names })).rejects.toThrow(message);
  });

  it("rejects a malformed address", async () => {
    await expect(verify({ address: "daemon.sock" })).rejects.toThrow(CouldNotRunError);
  });
});
