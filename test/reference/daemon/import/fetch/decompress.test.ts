import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { answerOf, startHost } from "./start-host.js";
import { messageOf, secret, tryFetch } from "./try-fetch.js";

const mib = 1024 * 1024;
const text = `trojan://${secret}@h.example:443#x\n`.repeat(200);
const undecodable = "The answer of the host cannot be decompressed";
const tooLarge = "The subscription is too large";

async function hostWith(encoding: string, body: Buffer | string): Promise<string> {
  const host = await startHost(answerOf(200, { "Content-Encoding": encoding }, body));
  return `http://127.0.0.1:${host.port}`;
}

/** Corrupts the checksum of gzip, which precedes the length at the end (RFC 1952). */
function withWrongSum(bytes: Buffer): Buffer {
  return Buffer.from(bytes.map((byte, at) => (at === bytes.length - 8 ? byte ^ 1 : byte)));
}

describe("decompression", () => {
  it.each([
    ["gzip", gzipSync(text)],
    ["GZip", gzipSync(text)],
    ["x-gzip", gzipSync(text)],
    ["gzip", Buffer.concat([gzipSync(text.slice(0, 99)), gzipSync(text.slice(99))])],
    ["deflate", deflateSync(text)],
    ["br", brotliCompressSync(text)],
    ["identity", Buffer.from(text)],
    ["", Buffer.from(text)],
  ])("reads the encoding '%s'", async (encoding, body) => {
    expect((await tryFetch(await hostWith(encoding, body))).fetched?.body.toString()).toBe(text);
  });

  it.each(["gzip", "deflate", "br", "zstd"])("accepts an empty body in %s", async (encoding) => {
    expect((await tryFetch(await hostWith(encoding, ""))).fetched?.body.length).toBe(0);
  });

  const flipped = gzipSync(text).map((byte, index) => (index === 40 ? byte ^ 0xff : byte));
  it.each([
    ["gzip", "plain text", Buffer.from(text), undecodable],
    ["deflate", "plain text", Buffer.from(text), undecodable],
    ["br", "plain text", Buffer.from(text), undecodable],
    ["gzip", "a flipped byte", Buffer.from(flipped), undecodable],
    ["gzip", "a wrong checksum", withWrongSum(gzipSync(Buffer.alloc(mib))), undecodable],
    ["gzip", "half of it", gzipSync(text).subarray(0, 60), undecodable],
    ["deflate", "half of it", deflateSync(text).subarray(0, 60), undecodable],
    ["br", "half of it", brotliCompressSync(text).subarray(0, 20), undecodable],
    ["zstd", "an unknown compression", Buffer.from(text), undecodable],
    ["gzip, gzip", "two compressions", gzipSync(gzipSync(text)), undecodable],
    [`x-${secret}`, "a name with a secret", Buffer.from(text), undecodable],
    ["gzip", "a bomb", gzipSync(Buffer.alloc(16 * mib + 1)), tooLarge],
    // Reading to the end would report the wrong checksum instead.
    ["gzip", "a bomb with a wrong checksum", withWrongSum(gzipSync(Buffer.alloc(32 * mib))), tooLarge],
    ["deflate", "a bomb", deflateSync(Buffer.alloc(16 * mib + 1)), tooLarge],
    ["br", "a bomb", brotliCompressSync(Buffer.alloc(17 * mib)), tooLarge],
  ])("rejects %s: %s", async (encoding, _, body, message) => {
    const url = await hostWith(encoding, body);
    expect(await messageOf(`${url}/${secret}`)).toBe(`${message} (${url})`);
  });

  it("reads a body of 16 MiB", async () => {
    const url = await hostWith("gzip", gzipSync(Buffer.alloc(16 * mib)));
    expect((await tryFetch(url)).fetched?.body.length).toBe(16 * mib);
  });
});
