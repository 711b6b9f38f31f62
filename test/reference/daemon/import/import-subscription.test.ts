import { setTimeout as sleep } from "node:timers/promises";
import { Code, ConnectError } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { createImportSubscription } from "../../../../reference/daemon/import/import-subscription.js";
import { answerOf, startHost } from "./fetch/start-host.js";

const link = "trojan://secret@fra1.northwind.example:443#fra1\n";

const ignore = { add: () => {}, finish: () => {} };

describe("createImportSubscription", () => {
  it("rejects an import if a thousand others are waiting, and stops waiting when the caller disconnects", async () => {
    const host = await startHost(() => {});
    const url = `http://127.0.0.1:${host.port}/`;
    const importSubscription = createImportSubscription({ allowPrivate: true });
    const caller = new AbortController();
    const pending = Array.from({ length: 1_032 }, () => importSubscription(url, caller.signal, ignore));
    const ended = Promise.allSettled(pending);
    const error = ConnectError.from(await importSubscription(url, caller.signal, ignore).catch((it) => it));
    expect([error.code, error.rawMessage]).toEqual([
      Code.ResourceExhausted,
      "Too many imports are waiting. Try again later",
    ]);
    caller.abort();
    expect(new Set((await ended).map(({ status }) => status))).toEqual(new Set(["rejected"]));
    expect(host.connections()).toBeLessThanOrEqual(32);
  });

  it("does not count the wait for memory towards the timeout of the host", async () => {
    const host = await startHost(answerOf(200, {}, `${link}# ${"x".repeat(600 * 1024)}\n`));
    const importSubscription = createImportSubscription({ allowPrivate: true, timeoutMs: 5_000 });
    const imports = Array.from({ length: 4 }, async () => {
      let nodes = 0;
      return importSubscription(`http://127.0.0.1:${host.port}/`, new AbortController().signal, {
        add: (part) => {
          nodes += part.nodes.length;
        },
        finish: async () => {
          await sleep(6_000);
          return nodes;
        },
      });
    });
    expect(await Promise.all(imports)).toEqual([1, 1, 1, 1]);
    expect(host.connections()).toBe(4);
  });
});
