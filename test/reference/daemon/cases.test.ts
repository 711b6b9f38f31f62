import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDaemonReference } from "../../../reference/daemon/create-daemon-reference.js";
import type { RpcCase } from "../../../src/contract/rpc/cases.js";
import { hostOf } from "../../../src/contract/rpc/evidence.js";
import { loadDaemonContract } from "../../../src/daemon/daemon-contract.js";
import type { DaemonProtocol, DaemonServer } from "../../../src/daemon/index.js";
import { createCall } from "../../../src/verify/rpc/create-call.js";
import { createRpcTransport, type RpcTransport } from "../../../src/wire/rpc-transport.js";
import { callWithBufCurl } from "../../support/call-with-buf-curl.js";
import { compareExactly } from "../../support/compare-exactly.js";
import { performCase } from "../../support/perform-case.js";
import { isThorough, sampleOf } from "../../support/thorough.js";

const contract = await loadDaemonContract();
const { cases } = contract;
/** The cases whose response is that of their request as it is written. */
const answered = cases.filter(({ name }) => name !== "redact-canceled" && name !== "redact-too-long-url");
const protocols: readonly DaemonProtocol[] = ["grpc", "grpc-web", "connect"];
const places = ["TCP", "Unix socket"] as const;
/** The combinations of transport and protocol. */
const combinations = places.flatMap((place, position) => protocols.map((protocol) => ({ place, position, protocol })));

/** The cases of one of the six combinations, because starting buf takes long. */
function shareOf(position: number, protocol: DaemonProtocol): readonly RpcCase[] {
  const own = combinations.findIndex((one) => one.position === position && one.protocol === protocol);
  return answered.filter((_, index) => index % combinations.length === own);
}

type Speed = "usual" | "hasty";

/**
 * A host that never responds, or never stops, would take the default ten seconds. It gets its own daemon with a short timeout, so that
 * no other case times out.
 */
function speedOf(one: RpcCase): Speed {
  const kind = hostOf(one)?.kind;
  return kind === "silent" || kind === "slow" ? "hasty" : "usual";
}

const folder = mkdtempSync(join(tmpdir(), "daemon-cases-"));
const daemons = new Map<Speed, DaemonServer>();
beforeAll(async () => {
  for (const [speed, limits] of [
    ["usual", {}],
    ["hasty", { fetchTimeoutMs: 300 }],
  ] as const) {
    const where = { port: 0, socket: join(folder, `${speed}.sock`) };
    daemons.set(speed, await createDaemonReference({ ...where, ...limits, allowPrivate: true }));
  }
});
afterAll(async () => {
  for (const daemon of daemons.values()) await daemon.close();
  rmSync(folder, { recursive: true });
});

function addressFor(one: RpcCase, position: number): string {
  return daemons.get(speedOf(one))?.addresses[position] ?? "";
}

describe.each(combinations)("the reference daemon over $protocol on a $place", ({ position, protocol }) => {
  const transports = new Map<string, RpcTransport>();
  afterAll(() => {
    for (const { close } of transports.values()) close();
  });

  function meansFor(one: RpcCase) {
    const address = addressFor(one, position);
    const transport = transports.get(address) ?? createRpcTransport({ address, protocol });
    transports.set(address, transport);
    return { contract, transport: transport.transport, protocol };
  }

  // `test/reference/verify.test.ts` judges all cases; this compares whole responses.
  it.concurrent.each(isThorough ? answered : shareOf(position, protocol))(
    "returns exactly the specified response to $name",
    async (one) => {
      expect(compareExactly(one, await performCase(one, createCall(meansFor(one))))).toEqual([]);
    },
  );

  it.concurrent.each(sampleOf(shareOf(position, protocol), 4))(
    "returns exactly the specified response to buf curl: $name",
    async (one) => {
      const performed = await performCase(one, callWithBufCurl(addressFor(one, position), protocol));
      expect(compareExactly(one, performed)).toEqual([]);
    },
  );
});

describe("compareExactly", () => {
  it.each(answered)("reports a difference in $name", async (one) => {
    const performed = await performCase(one, async (rpc) => {
      // A valid reply to earlier calls, and a slightly wrong one to the call of the case.
      const node = [{ ordinal: 1 }, { ordinal: 2 }];
      if (rpc !== one.rpc || one.bind !== undefined)
        return { kind: "reply", reply: { id: 1, node }, bytes: Buffer.of(), metadata: [] };
      const message = `${one.error?.message ?? ""}.`;
      return { kind: "error", code: one.error?.code ?? "internal", message, details: [], metadata: [] };
    });
    expect(compareExactly(one, performed)).toHaveLength(1);
  });
});
