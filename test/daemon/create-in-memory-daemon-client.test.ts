import { Code, ConnectError } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { createInMemoryDaemonClient, type DaemonHandlers } from "../../src/daemon/index.js";
import { handlersWith } from "./server/serve.js";

describe("createInMemoryDaemonClient", () => {
  it("calls all handlers with separate copies of messages", async () => {
    const client = createInMemoryDaemonClient(
      handlersWith({
        previewImport: ({ url }) => ({ suggestedName: url }),
        applyImport: ({ id, name }) => ({ id: id + name.length }),
        selectNode: (request, { requestHeader }) => {
          request.id++;
          return { id: request.id, selectedOrdinal: Number(requestHeader.get("x-ordinal")) };
        },
      }),
    );
    expect(await client.proxySubscriptions.previewImport({ url: "u" })).toMatchObject({ suggestedName: "u", node: [] });
    expect(await client.proxySubscriptions.applyImport({ id: 1, name: "ab" })).toMatchObject({ id: 3 });
    const request = { id: 1 };
    const options = { headers: { "x-ordinal": "5" } };
    expect(await client.proxySubscriptions.selectNode(request, options)).toMatchObject({ id: 2, selectedOrdinal: 5 });
    expect(request).toEqual({ id: 1 });
    expect(await client.meshControl.loginCancel({})).toMatchObject({});
    client.close();
  });

  it("hides faults from the caller, and reports them", async () => {
    const faults: unknown[] = [];
    const broken = new Error("s3cret");
    const handlers = handlersWith({ selectNode: () => Promise.reject(broken) });
    const client = createInMemoryDaemonClient(handlers, { onFault: (...fault) => faults.push(fault) });
    const error: unknown = await client.proxySubscriptions.selectNode({}).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: Code.Internal, rawMessage: "The server failed" });
    expect(faults).toEqual([[broken, "ProxySubscriptions/SelectNode"]]);
  });

  it("stops waiting at the deadline, and when the call is aborted", async () => {
    const signals: AbortSignal[] = [];
    const { proxySubscriptions } = createInMemoryDaemonClient(
      handlersWith({
        selectNode: (_, { signal }) => {
          signals.push(signal);
          return new Promise(() => {});
        },
      }),
    );
    await expect(proxySubscriptions.selectNode({}, { timeoutMs: 20 })).rejects.toMatchObject({
      code: Code.DeadlineExceeded,
    });
    const canceling = new AbortController();
    const call = proxySubscriptions.selectNode({}, { signal: canceling.signal });
    await expect.poll(() => signals.length).toBe(2);
    canceling.abort();
    await expect(call).rejects.toMatchObject({ code: Code.Canceled });
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
  });

  it.each(["previewImport", "applyImport", "selectNode", "loginCancel"] as const)("requires a handler %s", (name) => {
    const { [name]: _, ...rest } = handlersWith();
    expect(() => createInMemoryDaemonClient(rest as DaemonHandlers)).toThrow(
      new RegExp(`^\\w+ has no handler ${name}$`),
    );
  });

  it("calls handlers as methods of their object", async () => {
    class Counter {
      count = 0;
      previewImport = () => ({});
      applyImport = () => ({});
      loginCancel = () => ({});
      selectNode() {
        this.count++;
        if (this.count > 1) throw new ConnectError("twice", Code.AlreadyExists);
        return { id: this.count };
      }
    }
    const { proxySubscriptions } = createInMemoryDaemonClient(new Counter());
    expect(await proxySubscriptions.selectNode({})).toMatchObject({ id: 1 });
    await expect(proxySubscriptions.selectNode({})).rejects.toMatchObject({ code: Code.AlreadyExists });
  });
});
