import { describe, expect, it } from "vitest";
import { knownParameters, readQuery } from "../../../../../reference/daemon/import/schemes/link-parameters.js";

const known = knownParameters(["sni", "path", "key"], { peer: "sni" });

describe("readQuery", () => {
  it.each([
    ["", {}],
    ["sni=a&path=%2Fb%2Fc", { sni: "a", path: "/b/c" }],
    ["sni=a&sni=b", { sni: "a" }],
    ["peer=a&sni=b", { sni: "a" }],
    ["sni=&sni=b", { sni: "b" }],
    ["sni", {}],
    ["SNI=a&Path=b", {}],
    ["key=a+b/c==", { key: "a+b/c==" }],
    ["=a&&&=&key=%ZZ&", { key: "%ZZ" }],
    ["path=a?b=c", { path: "a?b=c" }],
    ["path=a;key=b", { path: "a;key=b" }],
    ["other=a&__proto__=b&constructor=c&toString=d", {}],
  ])("reads %j", (given, want) => {
    const settings = {};
    expect(readQuery(given, known, settings)).toEqual({});
    expect(settings).toEqual(want);
  });

  it("keeps existing settings", () => {
    const settings = { key: "a" };
    readQuery("key=b&sni=c", known, settings);
    expect(settings).toEqual({ key: "a", sni: "c" });
  });

  it("returns the parameters of transport and security separately", () => {
    const settings = {};
    const wrapping = readQuery("type=ws&security=tls&sni=a&insecure=1&type=grpc", known, settings);
    expect(wrapping).toEqual({ type: "ws", security: "tls", insecure: "1" });
    expect(settings).toEqual({ sni: "a" });
  });
});
