import { describe, expect, it } from "vitest";
import { ContentRefused } from "../../../../../reference/daemon/import/content.js";
import type { ImportedNode, RejectedEntry } from "../../../../../reference/daemon/import/entry.js";
import {
  createReaderThread,
  type ReadBody,
  readInThread,
} from "../../../../../reference/daemon/import/reading/reader-threads.js";

const never = new AbortController().signal;
const secret = "d41d8cd98f00b204";
const link = `trojan://${secret}@fra1.northwind.example:443#fra1\n`;
const limits = { maxReadMs: 60_000, maxHeapMib: 256 };
/** A parser needs several seconds for this. */
const slowYaml = Buffer.from(`proxies: [${"a: b,".repeat(400_000)}]`);

/** Reads a body and collects all its entries. */
async function collect(read: ReadBody, body: Uint8Array, signal = never) {
  const nodes: ImportedNode[] = [];
  const rejected: RejectedEntry[] = [];
  const format = await read(body, signal, (part) => {
    nodes.push(...part.nodes);
    rejected.push(...part.rejected);
  });
  return { format, nodes, rejected };
}

const reasonOf = (reading: Promise<unknown>) =>
  reading.then(
    () => undefined,
    (error) => (error instanceof ContentRefused ? error.reason : error),
  );

describe("readInThread", () => {
  it("returns nodes and rejected entries with their positions, across any number of parts", async () => {
    const content = await collect(readInThread, Buffer.from(`${link}x\n`.repeat(1_250)));
    expect(content.format).toBe("uri-list");
    expect(content.nodes.map(({ ordinal }) => ordinal)).toEqual(Array.from({ length: 1_250 }, (_, n) => 2 * n + 1));
    expect(content.rejected.map(({ ordinal }) => ordinal)).toEqual(Array.from({ length: 1_250 }, (_, n) => 2 * n + 2));
    expect(content.nodes[0]?.node.settings.password).toBe(secret);
  });

  it("returns no format for an empty body, and refuses an unknown one", async () => {
    expect(await collect(readInThread, Buffer.from(" \n"))).toEqual({ format: undefined, nodes: [], rejected: [] });
    expect(await reasonOf(collect(readInThread, Buffer.from("<html>")))).toBe("unknown-format");
    expect(await reasonOf(collect(readInThread, Buffer.from(`proxies:\n  - {name: "${secret}`)))).toBe(
      "unknown-format",
    );
  });

  it("reads small bodies while it reads a large one", async () => {
    const caller = new AbortController();
    let isRead = false;
    const large = collect(readInThread, slowYaml, caller.signal).finally(() => {
      isRead = true;
    });
    const ended = reasonOf(large);
    expect(await collect(readInThread, Buffer.from(link))).toMatchObject({ nodes: { length: 1 } });
    expect(isRead).toBe(false);
    caller.abort();
    await ended;
  });

  it("does not block the event loop", async () => {
    await collect(readInThread, Buffer.from(link));
    const body = Buffer.from(link.repeat(30_000));
    let turns = 0;
    const count = () => {
      turns++;
      timer = setImmediate(count);
    };
    let timer = setImmediate(count);
    await collect(readInThread, body);
    clearImmediate(timer);
    expect(turns).toBeGreaterThan(20);
  });
});

describe("createReaderThread", () => {
  it("refuses a body that takes too long", async () => {
    const endless = createReaderThread({ ...limits, maxReadMs: 1 });
    expect(await reasonOf(collect(endless, slowYaml))).toBe("too-complex");
    expect(await reasonOf(collect(endless, slowYaml))).toBe("too-complex");
    expect(await collect(readInThread, Buffer.from(link))).toMatchObject({ nodes: { length: 1 } });
  });

  it("refuses a body that takes too much memory, and reads the next one", async () => {
    const read = createReaderThread({ ...limits, maxHeapMib: 32 });
    expect(await reasonOf(collect(read, slowYaml))).toBe("too-complex");
    expect(await collect(read, Buffer.from(link))).toMatchObject({ nodes: { length: 1 } });
  });

  it("stops reading when the caller disconnects, and then serves the next one", async () => {
    const read = createReaderThread(limits);
    const caller = new AbortController();
    const first = reasonOf(collect(read, slowYaml, caller.signal));
    const waiting = reasonOf(collect(read, Buffer.from(link), caller.signal));
    const next = collect(read, Buffer.from(link));
    const reason = new Error("gone");
    caller.abort(reason);
    expect(await first).toBe(reason);
    expect(await waiting).toBe(reason);
    expect(await next).toMatchObject({ nodes: { length: 1 } });
  });
});
