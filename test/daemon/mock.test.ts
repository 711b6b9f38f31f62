import type { JsonObject } from "@bufbuild/protobuf";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadDaemonCases } from "../../src/daemon/daemon-contract.js";
import { createDaemonClient, type DaemonClient } from "../../src/daemon/index.js";
import { createDaemonMock } from "../../src/daemon/mock.js";
import { callRpc } from "../mock/daemon/call-case.js";

const { cases } = await loadDaemonCases();

let mock: Awaited<ReturnType<typeof createDaemonMock>>;
let client: DaemonClient;
beforeAll(async () => {
  mock = await createDaemonMock();
  client = createDaemonClient({ address: mock.addresses[0] ?? "" });
});
afterAll(async () => {
  client.close();
  await mock.close();
});

describe("createDaemonMock", () => {
  it("listens on a free loopback port", () => {
    expect(mock.addresses).toEqual([expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/)]);
  });

  it.each(["ProxySubscriptions/PreviewImport", "ProxySubscriptions/ApplyImport"] as const)(
    "responds to an unknown request to %s with the first successful case",
    async (rpc) => {
      const first = cases.find((one) => one.rpc === rpc && one.reply !== undefined);
      expect(await callRpc(client, rpc, { ...first?.request, url: "https://other.example/" })).toEqual({
        reply: first?.reply,
      });
    },
  );

  it.each<JsonObject>([{ id: 3, selectedOrdinal: 9 }, { id: 3 }, { selectedOrdinal: 9 }, {}])(
    "repeats the fields that SelectNode repeats by contract: %j",
    async (request) => {
      expect(await callRpc(client, "ProxySubscriptions/SelectNode", request)).toEqual({ reply: request });
    },
  );

  it.each(["case=select-nothing", ' respond-async; Case = "select-nothing" , wait=5', "wait=5,case=select-nothing"])(
    "supports prefer: %s",
    async (prefer) => {
      const request = { id: 7, selectedOrdinal: 2 };
      const reply = await callRpc(client, "ProxySubscriptions/SelectNode", request, { headers: { prefer } });
      expect(reply).toEqual({ reply: { id: 7 } });
    },
  );

  it.each(["no-such-case", "preview-clash", ""])("lists its cases if none is named '%s'", async (name) => {
    const outcome = await callRpc(
      client,
      "MeshControlService/LoginCancel",
      {},
      { headers: { prefer: `case=${name}` } },
    );
    expect(outcome).toEqual({
      error: {
        code: "invalid_argument",
        message: `LoginCancel has no case '${name}'. Cases: login-cancel, cancel-without-login`,
      },
    });
  });

  it("ignores other preferences", async () => {
    const outcome = await callRpc(
      client,
      "MeshControlService/LoginCancel",
      {},
      { headers: { prefer: "respond-async" } },
    );
    expect(outcome).toEqual({ reply: {} });
  });
});
