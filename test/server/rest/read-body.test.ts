import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { ReadBody } from "../../../src/server/rest/body-reader.js";
import { defaultBodyLimits, type ReadBodyOptions, readBody } from "../../../src/server/rest/read-body.js";
import { spooledPath } from "../../../src/server/rest/spool.js";

const spoolFolder = mkdtempSync(join(tmpdir(), "accord-spool-"));
afterAll(() => rmSync(spoolFolder, { recursive: true }));
const limits = { ...defaultBodyLimits, spoolFolder };
const mebibyte = 1024 * 1024;

/** A body that arrives in these pieces and records how it is read. */
function bodyOf(pieces: Iterable<Uint8Array>, end?: Error) {
  const seen = { taken: 0, returned: false };
  const iterator = pieces[Symbol.iterator]();
  const body: AsyncIterable<Uint8Array> = {
    [Symbol.asyncIterator]: () => ({
      next: async () => {
        const step = iterator.next();
        if (step.done && end !== undefined) throw end;
        if (!step.done) seen.taken += step.value.length;
        return step.done ? { done: true, value: undefined } : { done: false, value: step.value };
      },
      return: async () => {
        seen.returned = true;
        return { done: true, value: undefined };
      },
    }),
  };
  return { body, seen };
}

function* inPieces(bytes: Buffer, size: number): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const file = (content: Buffer | string, name = "a.bin") =>
  Buffer.concat([
    Buffer.from(`--b\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n\r\n`),
    Buffer.from(content),
    Buffer.from("\r\n"),
  ]);
const field = (value: string) => Buffer.from(`--b\r\nContent-Disposition: form-data; name="x"\r\n\r\n${value}\r\n`);
const closed = (...parts: readonly Buffer[]) => Buffer.concat([...parts, Buffer.from("--b--\r\n")]);
const sample = (length: number) => Buffer.alloc(length, "0123456789\r\n--c");

function read(body: AsyncIterable<Uint8Array>, options: ReadBodyOptions = {}, headers: Record<string, string> = {}) {
  const all: Record<string, string> = { "content-type": "multipart/form-data; boundary=b", ...headers };
  return readBody(body, (name) => all[name], { limits, ...options });
}

function readable(result: ReadBody): Extract<ReadBody, { kind: "read" }> {
  if (result.kind !== "read") throw new Error(`not read: ${JSON.stringify(result)}`);
  return result;
}

const left = () => readdirSync(spoolFolder);

describe("readBody", () => {
  it.each([1, 7, 1000, 64 * 1024, mebibyte])(
    "returns files and fields that arrive in pieces of %i bytes",
    async (size) => {
      const [small, large] = [sample(500), sample(200_000)];
      const bytes = closed(file(small, "small"), field("between"), file(large, "large"), file("", "empty"));
      const epilogue = Buffer.from("\r\nwhat follows is ignored");
      const { body } = bodyOf(inPieces(Buffer.concat([bytes, epilogue]), size));
      const { fields, files, dispose } = readable(await read(body));
      expect(fields).toEqual([["x", "between"]]);
      expect(files.map(([name, { name: filename, size: length }]) => [name, filename, length])).toEqual([
        ["file", "small", 500],
        ["file", "large", 200_000],
        ["file", "empty", 0],
      ]);
      for (const [index, content] of [small, large].entries()) {
        expect(content.equals(Buffer.from((await files[index]?.[1].arrayBuffer()) ?? new ArrayBuffer(0)))).toBe(true);
      }
      await dispose();
      expect(left()).toEqual([]);
    },
  );

  it.each([
    ["filename*=UTF-8''na%C3%AFve.txt", "naïve.txt"],
    ["filename*=utf-8'fr'na%C3%AFve%20%281%29.txt", "naïve (1).txt"],
    ["filename=\"plain.txt\"; filename*=UTF-8''na%C3%AFve.txt", "naïve.txt"],
    ["filename*=UTF-8''na%C3%AFve.txt; filename=\"plain.txt\"", "naïve.txt"],
    ["filename=plain.txt; FileName* = \"UTF-8''na%C3%AFve.txt\"", "naïve.txt"],
    ["filename=\"plain.txt\"; filename*=UTF-8''%FF.txt", "plain.txt"],
    ["filename*=UTF-8''%FF.txt; filename=\"plain.txt\"", "plain.txt"],
    ["filename=\"plain.txt\"; filename*=koi8-r''%C1.txt", "plain.txt"],
    ['filename="plain.txt"; filename*=extended.txt', "plain.txt"],
    ["filename=\"a; filename*=UTF-8''b.txt\"", "a; filename*=UTF-8''b.txt"],
    ['filename="a\\"; filename*=UTF-8\'\'b.txt"', "a\"; filename*=UTF-8''b.txt"],
    ["filename=\"plain.txt\"; filename*=UTF-8''..%2F..%2Fb.txt", "b.txt"],
  ])("keeps the name of a file with %s", async (parameters, name) => {
    const disposition = `Content-Disposition: form-data; name="file"; ${parameters}`;
    const part = Buffer.from(`--b\r\n${disposition}\r\nContent-Type: text/plain\r\n\r\nskull\r\n`);
    const { fields, files, dispose } = readable(await read(bodyOf([closed(part, field("after"))]).body));
    expect(files.map(([part, one]) => [part, one.name])).toEqual([["file", name]]);
    expect(fields).toEqual([["x", "after"]]);
    await dispose();
  });

  it("stores a file in a private temporary file until dispose", async () => {
    const { files, dispose } = readable(await read(bodyOf([closed(file("skull"))]).body));
    const path = spooledPath(files[0]?.[1] as File) ?? "";
    expect(statSync(path).mode & 0o777).toBe(0o600);
    await dispose();
    expect(left()).toEqual([]);
  });

  it("counts one mebibyte of memory for an upload of any size", async () => {
    let held = 0;
    const hold = (bytes: number) => {
      held += bytes;
      return true;
    };
    const { body } = bodyOf(inPieces(closed(file(sample(24 * mebibyte))), 16 * 1024));
    const { files, dispose } = readable(await read(body, { hold }));
    expect(files[0]?.[1].size).toBe(24 * mebibyte);
    expect(held).toBe(mebibyte);
    await dispose();
  });

  it.each<[what: string, bytes: Buffer, headers: Record<string, string>, status: number]>([
    ["a body above the limit", closed(file(sample(33 * mebibyte))), {}, 413],
    ["a form above the limit", sample(2 * mebibyte), { "content-type": "application/x-www-form-urlencoded" }, 413],
    ["a field above the limit", closed(file(sample(100_000)), field("x".repeat(mebibyte + 1))), {}, 413],
    [
      "fields that are together above the limit",
      closed(...Array.from({ length: 3 }, () => field("x".repeat(400_000)))),
      {},
      413,
    ],
    ["too many parts", closed(file(sample(100_000)), ...Array.from({ length: 1001 }, () => field("x"))), {}, 400],
    ["an incomplete multipart body", file(sample(100_000)), {}, 400],
    ["an unknown type", sample(mebibyte), { "content-type": "text/plain" }, 415],
    ["a compressed body", sample(mebibyte), { "content-encoding": "gzip" }, 415],
    ["a boundary of 71 letters", sample(9), { "content-type": `multipart/form-data; boundary=${"b".repeat(71)}` }, 400],
  ])("rejects %s without leaving a file or closing the body", async (_, bytes, headers, status) => {
    const { body, seen } = bodyOf(inPieces(bytes, 16 * 1024));
    expect(await read(body, {}, headers)).toMatchObject({ kind: "refused", status });
    expect(seen.returned).toBe(false);
    expect(left()).toEqual([]);
  });

  it("stops reading at the limit", async () => {
    const { body, seen } = bodyOf(inPieces(closed(file(sample(40 * mebibyte))), 16 * 1024));
    expect(await read(body)).toMatchObject({ kind: "refused", status: 413 });
    expect(seen.taken).toBeLessThanOrEqual(32 * mebibyte + 16 * 1024);
  });

  it.each<[what: string, bytes: Buffer, headers: Record<string, string>]>([
    ["an upload", closed(file(sample(500_000))), {}],
    ["a form", Buffer.from(`x=${"y".repeat(500_000)}`), { "content-type": "application/x-www-form-urlencoded" }],
  ])("returns 503 if memory has no space for %s", async (_, bytes, headers) => {
    let room = 300_000;
    const hold = (asked: number) => {
      if (asked > room) return false;
      room -= asked;
      return true;
    };
    const { body, seen } = bodyOf(inPieces(bytes, 16 * 1024));
    expect(await read(body, { hold }, headers)).toMatchObject({ kind: "refused", status: 503 });
    expect([seen.returned, seen.taken < bytes.length]).toEqual([false, true]);
    expect(left()).toEqual([]);
  });

  it("leaves no file after a client disconnects", async () => {
    const { body } = bodyOf(inPieces(file(sample(mebibyte)), 16 * 1024), new Error("aborted"));
    expect(await read(body)).toEqual({ kind: "aborted" });
    expect(left()).toEqual([]);
  });

  it("rejects if temporary files cannot be created", async () => {
    const { body } = bodyOf([closed(file(sample(mebibyte)))]);
    const missing = { ...limits, spoolFolder: join(spoolFolder, "missing") };
    await expect(read(body, { limits: missing })).rejects.toThrow("ENOENT");
  });
});
