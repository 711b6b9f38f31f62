import { once } from "node:events";
import { existsSync, mkdtempSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ListenError } from "../../src/base/listen.js";
import { clientOf, serve, urlOf } from "../daemon/server/serve.js";

describe("listenOn", () => {
  let folder = "";
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "addresses-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it("listens on the requested port and socket", async () => {
    const { addresses } = await serve({ port: 0, socket: join(folder, "d.sock") });
    expect(addresses).toEqual([expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/), `unix:${join(folder, "d.sock")}`]);
  });

  it("listens only on the socket if no port is requested", async () => {
    expect((await serve({ socket: join(folder, "d.sock") })).addresses).toEqual([`unix:${join(folder, "d.sock")}`]);
  });

  it("rejects a port that is in use", async () => {
    const port = Number(urlOf(await serve()).port);
    await expect(serve({ port })).rejects.toThrow(ListenError);
    await expect(serve({ port })).rejects.toThrow(`Port ${port} on 127.0.0.1 is already in use`);
  });

  it("releases one address if the other is unavailable", async () => {
    const taken = await serve();
    const port = Number(urlOf(taken).port);
    await taken.close();
    await expect(serve({ port, socket: join(folder, "missing/d.sock") })).rejects.toThrow(ListenError);
    expect((await serve({ port })).addresses).toHaveLength(1);
  });
});

describe("the Unix socket", () => {
  let folder = "";
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "socket-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it("is accessible to its owner only, and removed on close", async () => {
    const socket = join(folder, "d.sock");
    const server = await serve({ socket });
    expect(statSync(socket).mode & 0o777).toBe(0o600);
    await server.close();
    expect(existsSync(socket)).toBe(false);
  });

  it("does not change the umask of the process", async () => {
    const before = process.umask();
    await serve({ socket: join(folder, "d.sock") });
    expect(process.umask()).toBe(before);
  });

  it("is replaced if it is left over from a dead process", async () => {
    const socket = join(folder, "d.sock");
    const dead = createServer().listen(join(folder, "other.sock"));
    await once(dead, "listening");
    renameSync(join(folder, "other.sock"), socket);
    await new Promise((resolve) => dead.close(resolve));
    expect(existsSync(socket)).toBe(true);
    const server = await serve({ socket });
    expect(await clientOf(server).selectNode({ id: 1 })).toMatchObject({ id: 1 });
  });

  it("is not replaced if it is in use", async () => {
    const socket = join(folder, "d.sock");
    const first = await serve({ socket });
    await expect(serve({ socket })).rejects.toThrow(`The socket ${socket} is already in use`);
    expect(await clientOf(first).selectNode({ id: 1 })).toMatchObject({ id: 1 });
  });

  it.each([
    ["a file is there", "file", "exists and is not a socket"],
    ["its folder is missing", "missing/d.sock", "does not exist"],
    ["its path is too long", "x".repeat(120), "is longer than"],
  ])("is rejected if %s", async (_, name, problem) => {
    writeFileSync(join(folder, "file"), "mine");
    await expect(serve({ socket: join(folder, name) })).rejects.toThrow(ListenError);
    await expect(serve({ socket: join(folder, name) })).rejects.toThrow(problem);
    expect(existsSync(join(folder, "file"))).toBe(true);
  });

  it("is rejected if its folder cannot hold a socket", async () => {
    // Files cannot be created there, even by root.
    await expect(serve({ socket: "/proc/self/accord.sock" })).rejects.toThrow(ListenError);
  });
});
