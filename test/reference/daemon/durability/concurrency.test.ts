import { describe, expect, it, onTestFinished } from "vitest";
import { createDaemonReference } from "../../../../reference/daemon/create-daemon-reference.js";
import { createDaemonClient } from "../../../../src/daemon/index.js";
import { startSubscriptionServer, trojanList } from "../../../support/subscription-server.js";

async function start() {
  const daemon = await createDaemonReference({ allowPrivate: true });
  onTestFinished(daemon.close);
  const client = createDaemonClient({ address: daemon.addresses[0] ?? "" });
  onTestFinished(client.close);
  return client.proxySubscriptions;
}

describe("concurrent calls", () => {
  it("are applied to one network in order of arrival, even if the first host is slower", async () => {
    const daemon = await start();
    let answerSlowly = (_body: string) => {};
    const slow = new Promise<string>((resolve) => {
      answerSlowly = resolve;
    });
    const host = await startSubscriptionServer((path) => (path === "/slow" ? slow : trojanList("a", "b", "c")));
    const { id } = await daemon.applyImport({ url: host.url, name: "N" });
    const first = daemon.applyImport({ id, url: `${host.url}/slow`, name: "slow" });
    // Wait until the first call has arrived.
    await expect.poll(async () => (await daemon.previewImport({ url: host.url })).compatibleCount).toBe(3);
    const second = daemon.applyImport({ id, url: `${host.url}/fast`, name: "fast" });
    answerSlowly(trojanList("a"));
    expect(await first).toMatchObject({ id, importedCount: 1 });
    expect(await second).toMatchObject({ id, importedCount: 3 });
    expect(await daemon.selectNode({ id, selectedOrdinal: 3 })).toMatchObject({ selectedOrdinal: 3 });
  });

  it("leave the nodes and the selection of a single import", async () => {
    const daemon = await start();
    const lists = Array.from({ length: 8 }, (_, index) =>
      Array.from({ length: index + 1 }, (_, n) => `n${index}-${n}`),
    );
    const host = await startSubscriptionServer((path) => trojanList(...(lists[Number(path.slice(1))] ?? [])));
    const { id } = await daemon.applyImport({ url: `${host.url}/0`, name: "N" });
    const calls = lists.map((_, index) =>
      daemon.applyImport({ id, url: `${host.url}/${index}`, selectedOrdinal: index + 1 }),
    );
    const replies = await Promise.all(calls);
    expect(replies.map(({ importedCount, selectedOrdinal }) => [importedCount, selectedOrdinal])).toEqual(
      lists.map(({ length }) => [length, length]),
    );
    const last = lists.length;
    expect(await daemon.selectNode({ id, selectedOrdinal: last })).toMatchObject({ selectedOrdinal: last });
    await expect(daemon.selectNode({ id, selectedOrdinal: last + 1 })).rejects.toThrow("no node with ordinal");
  });

  it("create networks with distinct ids", async () => {
    const daemon = await start();
    const host = await startSubscriptionServer(() => trojanList("a"));
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => daemon.applyImport({ url: host.url, name: "same" })),
    );
    const ids = replies.map(({ id }) => id).sort((a, b) => a - b);
    expect(ids).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
  });

  it("can all select nodes, and the last selection stays", async () => {
    const daemon = await start();
    const host = await startSubscriptionServer(() => trojanList("a", "b", "c"));
    const { id } = await daemon.applyImport({ url: host.url, name: "N" });
    const ordinals = Array.from({ length: 60 }, (_, index) => index % 4);
    const replies = await Promise.all(ordinals.map((selectedOrdinal) => daemon.selectNode({ id, selectedOrdinal })));
    expect(replies.map(({ selectedOrdinal }) => selectedOrdinal)).toEqual(ordinals);
    expect(await daemon.applyImport({ id, url: host.url })).toMatchObject({ selectedOrdinal: 3 });
  });
});

describe("an import whose caller disconnects", () => {
  it("is discarded", async () => {
    const daemon = await start();
    let asked = () => {};
    const isAsked = new Promise<void>((resolve) => {
      asked = resolve;
    });
    let answer = (_body: string) => {};
    const body = new Promise<string>((resolve) => {
      answer = resolve;
    });
    const host = await startSubscriptionServer((path) => {
      if (path !== "/late") return trojanList("a");
      asked();
      return body;
    });
    const { id } = await daemon.applyImport({ url: host.url, name: "N" });
    const abort = new AbortController();
    const call = daemon.applyImport({ id, url: `${host.url}/late`, name: "N" }, { signal: abort.signal });
    await isAsked;
    abort.abort();
    await expect(call).rejects.toThrow();
    answer(trojanList("a", "b"));
    // A later import into the same network waits for the aborted one.
    expect(await daemon.applyImport({ id, url: host.url })).toMatchObject({ importedCount: 1 });
    await expect(daemon.selectNode({ id, selectedOrdinal: 2 })).rejects.toThrow("no node with ordinal");
  });
});
