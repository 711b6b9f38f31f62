import { describe, expect, it } from "vitest";
import { createDaemonClient } from "../../src/daemon/index.js";
import { parseRpcAddress } from "../../src/wire/rpc-address.js";

describe("parseRpcAddress", () => {
  it.each([
    ["unix:/run/daemon.sock", { kind: "socket", path: "/run/daemon.sock" }],
    ["unix:///run/daemon.sock", { kind: "socket", path: "/run/daemon.sock" }],
    ["unix:/run/with space?#.sock", { kind: "socket", path: "/run/with space?#.sock" }],
    ["http://127.0.0.1:4020", { kind: "tcp", origin: "http://127.0.0.1:4020", secure: false }],
    ["http://localhost:4020/", { kind: "tcp", origin: "http://localhost:4020", secure: false }],
    ["http://[::1]:4020", { kind: "tcp", origin: "http://[::1]:4020", secure: false }],
    ["https://daemon.example", { kind: "tcp", origin: "https://daemon.example", secure: true }],
  ])("reads %s", (address, want) => {
    expect(parseRpcAddress(address)).toEqual(want);
  });

  it.each([
    ["", "not the address of a server"],
    ["127.0.0.1:4020", "not the address of a server"],
    ["localhost:4020", "not the address of a server"],
    ["/run/daemon.sock", "not the address of a server"],
    ["ftp://daemon.example", "not the address of a server"],
    ["http://", "not the address of a server"],
    ["http://127.0.0.1:99999", "not the address of a server"],
    ["unix:", "must be absolute"],
    ["unix:daemon.sock", "must be absolute"],
    ["unix://daemon.sock", "must be absolute"],
    ["http://me:secret@127.0.0.1:4020", "no user name and no password"],
    ["http://127.0.0.1:4020/proxydaemon.v1", "ends after the port, as in http://127.0.0.1:4020"],
    ["http://127.0.0.1:4020?x=1", "ends after the port"],
  ])("rejects %j", (address, problem) => {
    const parse = () => parseRpcAddress(address);
    expect(parse).toThrow(TypeError);
    expect(parse).toThrow(problem);
    expect(parse).toThrow("Write unix:/path/to/socket, http://host:port or https://host:port");
    expect(parse).not.toThrow("secret");
  });

  it("runs when the client is created, not on the first call", () => {
    expect(() => createDaemonClient({ address: "localhost:4020" })).toThrow(TypeError);
  });
});
