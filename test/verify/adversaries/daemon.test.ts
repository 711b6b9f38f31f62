import { describe, expect, it, onTestFinished } from "vitest";
import { loadDaemonContract } from "../../../src/daemon/daemon-contract.js";
import { createDaemonMock } from "../../../src/daemon/mock.js";
import { toJsonReport } from "../../../src/report/model/to-json-report.js";
import { verifyRpc } from "../../../src/verify/rpc/verify-rpc.js";
import { exitCode, formatSummary, type VerifyReport } from "../../../src/verify.js";
import { serveExample } from "../rpc/example-daemon.js";
import { emptiestHandlers } from "./emptiest-daemon.js";

/** The rules that an empty reply shows, and why. */
const shownByAnyReply = {
  "service.proxy-subscriptions": "its RPCs answer",
  "service.mesh-control": "LoginCancel answers",
  "service.unary": "each answer is one message",
  "login-cancel.returns-empty": "the empty message is what the rule is about",
  "login-cancel.idle": "LoginCancel succeeds",
};

/** The rules that the mock shows: its replies have fields, and SelectNode repeats the request. All its networks have one id. */
const shownByExamples = {
  "network.excluded-routes": "its reflection describes the contract",
  "network.proxy-subscription": "its reflection describes the contract",
  "network.trojan": "its reflection describes the contract",
  ...shownByAnyReply,
  "wire.proto3": "fields of several types can be read",
  "select-node.takes-selected-ordinal": "the reply follows the request",
  "select-node.returns-selected-ordinal": "the reply follows the request",
  "select-node.preview-ordinals": "the reply follows the request",
  "select-node.again": "the reply follows the request",
  "select-node.clears": "the reply follows the request",
  "select-node.unsupported": "the reply follows the request",
  "select-node.unknown-network": "the error of the example has the recommended code",
  "service.overlapping-calls": "the reply follows the request",
  "url-fetching.bad-url": "the error of the example has the recommended code",
};

async function verify(address: string): Promise<VerifyReport> {
  const report = await verifyRpc(await loadDaemonContract(), {
    address,
    degree: "everything",
    jobs: 8,
    timeoutMs: 30_000,
  });
  expect(exitCode(report), formatSummary(report)).toBe(3);
  return report;
}

function kept(report: VerifyReport): string[] {
  return toJsonReport(report)
    .rules.flatMap(({ id, state }) => (state === "kept" ? id : []))
    .sort();
}

describe("verifyDaemon", () => {
  it("counts no rule about a value as kept if every reply is empty", async () => {
    const { address } = await serveExample(emptiestHandlers());
    const report = await verify(address);
    expect(kept(report)).toEqual(Object.keys(shownByAnyReply).sort());
    expect(toJsonReport(report).verdict).toMatchObject({
      word: "INCONCLUSIVE",
      sentence: expect.stringMatching(/^None broken, but only \d+ of the \d+ rules .*--min-exercised/),
    });
  });

  it("counts also the rules about fetching as kept if a daemon fetches and every reply is empty", async () => {
    const { address } = await serveExample(
      emptiestHandlers((url) => fetch(url, { signal: AbortSignal.timeout(10_000) }).catch(() => {})),
    );
    const fetched = {
      "apply-import.takes-url": "it fetched the URL",
      "preview-import.takes-url": "it fetched the URL",
      "redaction.reply": "its reply to a failed fetch shows no secret",
      "url-fetching.every-call": "it fetched the URL again",
      "url-fetching.whole-url": "it fetched the whole URL",
    };
    expect(kept(await verify(address))).toEqual(Object.keys({ ...shownByAnyReply, ...fetched }).sort());
  });

  it("counts as kept only the rules that the examples of the contract show, if every reply is an example", async () => {
    const mock = await createDaemonMock();
    onTestFinished(mock.close);
    expect(kept(await verify(mock.addresses[0] ?? ""))).toEqual(Object.keys(shownByExamples).sort());
  });
});
