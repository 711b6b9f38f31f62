import { Code } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import type { CallContext, DaemonCall } from "../../../src/daemon/index.js";
import { gate } from "./gate.js";
import { failing, rawCall, rawSession, selectRequest as request, statusOf } from "./raw-grpc.js";
import { clientOf, serve } from "./serve.js";

describe("a call whose caller no longer waits", () => {
  async function watched() {
    const begun = gate<CallContext>();
    const ended = gate<DaemonCall>();
    const faults: unknown[] = [];
    const server = await serve(
      { onCall: ended.open, onFault: (fault) => faults.push(fault) },
      {
        selectNode: (_, context) => {
          begun.open(context);
          return new Promise((_, reject) =>
            context.signal.addEventListener("abort", () => reject(context.signal.reason)),
          );
        },
      },
    );
    return { server, begun, ended, faults };
  }

  it("ends when the deadline has passed", async () => {
    const { server, begun, ended, faults } = await watched();
    const answer = await rawCall(rawSession(server), { "grpc-timeout": "2S" }, [request]);
    expect(statusOf(answer)).toEqual({
      status: String(Code.DeadlineExceeded),
      message: "The deadline of the call has passed",
    });
    expect((await begun.opened).signal.reason).toMatchObject({ code: Code.DeadlineExceeded });
    expect(await ended.opened).toMatchObject({ code: "deadline_exceeded" });
    expect(faults).toEqual([]);
  });

  it("ends when the caller cancels it", async () => {
    const { server, begun, ended, faults } = await watched();
    const canceling = new AbortController();
    const call = clientOf(server).selectNode({}, { signal: canceling.signal });
    const { signal } = await begun.opened;
    canceling.abort();
    await expect(call).rejects.toMatchObject({ code: Code.Canceled });
    expect(await ended.opened).toMatchObject({ code: "canceled" });
    expect(signal.aborted).toBe(true);
    expect(faults).toEqual([]);
  });

  it("ends when the connection breaks", async () => {
    const { server, begun, ended } = await watched();
    const session = rawSession(server);
    const call = rawCall(session, {}, [request]);
    const { signal } = await begun.opened;
    session.destroy();
    await call;
    expect(await ended.opened).toMatchObject({ code: "canceled" });
    expect(signal.aborted).toBe(true);
  });

  it("ends when it is aborted within the request", async () => {
    const { server, ended } = await watched();
    await rawCall(rawSession(server), {}, [request.subarray(0, 6)], { cancel: true });
    expect(await ended.opened).toMatchObject({ code: "canceled" });
  });

  it("shows an aborted signal to a handler that reads it late", async () => {
    const seen = gate<boolean>();
    const slow = gate();
    const ended = gate<DaemonCall>();
    const server = await serve(
      { onCall: ended.open },
      {
        selectNode: async (_, context) => {
          await slow.opened;
          seen.open(context.signal.aborted);
          throw context.signal.reason;
        },
      },
    );
    await rawCall(rawSession(server), { "grpc-timeout": "2S" }, [request]);
    expect(await ended.opened).toMatchObject({ code: "deadline_exceeded" });
    slow.open();
    expect(await seen.opened).toBe(true);
  });
});

describe("a call with grpc-timeout", () => {
  it.each(["0m", "0H", "00000000n"])("is not started if it is %s", async (timeout) => {
    const faults: unknown[] = [];
    const server = await serve({ onFault: (fault) => faults.push(fault) }, failing(new Error("must not be reached")));
    const answer = await rawCall(rawSession(server), { "grpc-timeout": timeout }, [request]);
    expect(statusOf(answer).status).toBe(String(Code.DeadlineExceeded));
    expect(faults).toEqual([]);
  });

  it.each(["99999999H", "99999999S", "1H", "9S"])("is accepted if it is %s", async (timeout) => {
    const answer = await rawCall(rawSession(await serve()), { "grpc-timeout": timeout }, [request]);
    expect(statusOf(answer).status).toBe("0");
  });
});

describe("onCall", () => {
  it("receives RPC, protocol, code and duration, once for each call", async () => {
    const calls: DaemonCall[] = [];
    const server = await serve({ onCall: (call) => calls.push(call) });
    const session = rawSession(server);
    await rawCall(session, {}, [request]);
    await rawCall(session, {}, []);
    expect(calls).toEqual(
      ["ok", "unimplemented"].map((code) => ({
        rpc: "ProxySubscriptions/SelectNode",
        protocol: "grpc",
        code,
        durationMs: expect.any(Number),
      })),
    );
    expect(Math.min(...calls.map(({ durationMs }) => durationMs))).toBeGreaterThanOrEqual(0);
  });

  it("does not affect the call if it throws", async () => {
    const faults: unknown[] = [];
    const onCall = () => {
      throw new Error("observer");
    };
    const onFault = (error: unknown) => {
      faults.push(error);
      throw error;
    };
    const session = rawSession(await serve({ onCall, onFault }));
    expect(statusOf(await rawCall(session, {}, [request])).status).toBe("0");
    expect(faults).toEqual([new Error("observer")]);
  });
});
