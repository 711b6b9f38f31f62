import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { newestLevel } from "../../generated/chat/request-levels.js";
import { createChatReference } from "../../reference/chat/create-chat-reference.js";
import { createDaemonReference } from "../../reference/daemon/create-daemon-reference.js";
import { createLogger } from "../../reference/logging/create-logger.js";
import { chatContract } from "../../src/chat/contract.js";
import { loadDaemonContract } from "../../src/daemon/daemon-contract.js";
import type { DaemonCall } from "../../src/daemon/index.js";
import { toJsonReport } from "../../src/report/model/to-json-report.js";
import { verifyRest } from "../../src/verify/rest/verify-rest.js";
import { verifyRpc } from "../../src/verify/rpc/verify-rpc.js";
import { exitCode, formatSummary, type RunOptions, type VerifyReport } from "../../src/verify.js";
import { isThorough, sampleOf } from "../support/thorough.js";

const options: RunOptions = { jobs: 2, timeoutMs: 300_000 };

/**
 * The reference server lacks what these checks need: an optional extension of tus, and a call whose parameters are not stated. Server
 * reflection takes HTTP/2.
 */
const optional = ["workflow uploads-tus-defer-length", "workflow conventions-register"];

/** Expects that every check ran and passed. Returns the testable rules that no check showed. */
function expectKept(report: VerifyReport, skipped: readonly string[] = []): string[] {
  expect(exitCode(report), formatSummary(report)).toBe(0);
  const others = report.checks.filter(({ outcome }) => outcome.kind !== "passed");
  expect(others.map(({ id }) => id).filter((id) => ![...optional, ...skipped].includes(id))).toEqual([]);
  return toJsonReport(report).rules.flatMap(({ id, state }) => (state === "not-exercised" ? id : []));
}

describe("the reference implementation", () => {
  // Most checks at an old level are those of the newest, so a part of them shows that the verification applies the level.
  it.each([
    [newestLevel, 1],
    [162, isThorough ? 1 : 12],
    [1, isThorough ? 1 : 12],
  ])("of the chat service keeps its contract at level %i (1/%i of the checks)", async (featureLevel, parts) => {
    const server = await createChatReference({ states: true, featureLevel, validateResponses: true });
    onTestFinished(server.close);
    const report = await verifyRest(await chatContract(), {
      ...options,
      strict: true,
      seed: 1,
      ...(parts === 1 ? {} : { shard: { index: 1, of: parts } }),
      url: `${server.url}/api/v1`,
      statesUrl: server.statesUrl,
    });
    expect(report.level).toBe(featureLevel);
    const notExercised = expectKept(report);
    // An older server lacks the features that would show some rules.
    // The reference server does not have the call of `limits.register` either.
    if (featureLevel === newestLevel) expect(notExercised).toEqual(["limits.register", "uploads.tus.deferred-length"]);
  });

  it.each(sampleOf(["grpc", "grpc-web", "connect"] as const, 3))(
    "of the daemon keeps its contract over %s",
    async (protocol) => {
      const folder = mkdtempSync(join(tmpdir(), "verify-daemon-"));
      onTestFinished(() => rmSync(folder, { recursive: true }));
      const logFile = join(folder, "daemon.log");
      const logger = createLogger<DaemonCall>("info", logFile);
      const daemon = await createDaemonReference({ allowPrivate: true, logger });
      onTestFinished(daemon.close);
      const address = daemon.addresses[0] ?? "";
      const report = await verifyRpc(await loadDaemonContract(), {
        ...options,
        degree: "everything",
        jobs: 16,
        address,
        protocol,
        logFile,
      });
      const notExercised = expectKept(report, protocol === "grpc" ? [] : ["server reflection"]);
      // Server reflection shows the types that no RPC carries.
      if (protocol === "grpc") expect(notExercised).toEqual([]);
      else expect(notExercised.filter((id) => !id.startsWith("network."))).toEqual([]);
    },
  );
});
