import { describe, expect, it } from "vitest";
import { readHost } from "../../../../../reference/daemon/import/schemes/read-endpoint.js";
import { splitLink } from "../../../../../reference/daemon/import/schemes/split-link.js";

const empty = { userinfo: "", host: "", port: "", query: "", fragment: "" };

describe("splitLink", () => {
  it.each([
    ["", empty],
    ["h", { ...empty, host: "h" }],
    ["h:1", { ...empty, host: "h", port: "1" }],
    ["u@h:1", { ...empty, userinfo: "u", host: "h", port: "1" }],
    ["u:p@h:1/?a=b#n", { userinfo: "u:p", host: "h", port: "1", query: "a=b", fragment: "n" }],
    ["u@h?a=b?c#d#e?f", { ...empty, userinfo: "u", host: "h", query: "a=b?c", fragment: "d#e?f" }],
    ["h#n?a@b:1", { ...empty, host: "h", fragment: "n?a@b:1" }],
    ["h?a=u@h2", { ...empty, host: "h", query: "a=u@h2" }],
    ["a@b@h:1", { ...empty, userinfo: "a@b", host: "h", port: "1" }],
    ["YWJj/ZG==@h:1", { ...empty, userinfo: "YWJj/ZG==", host: "h", port: "1" }],
    ["u@[2001:db8::1]:443/", { ...empty, userinfo: "u", host: "[2001:db8::1]", port: "443" }],
    ["u@[2001:db8::1]", { ...empty, userinfo: "u", host: "[2001:db8::1]" }],
    ["h:123,5000-6000/", { ...empty, host: "h", port: "123,5000-6000" }],
    ["h:1:2", { ...empty, host: "h", port: "1:2" }],
    ["u@:1", { ...empty, userinfo: "u", port: "1" }],
    ["@", empty],
  ])("splits %j", (given, want) => {
    const { main, ...parts } = splitLink(given);
    expect(parts).toEqual(want);
    expect(given.startsWith(main)).toBe(true);
  });

  it.each(["u@[::1", "u@[::1]x:1", "u@[[::1]]:1"])("finds no valid host in %j", (given) => {
    expect(readHost(splitLink(given).host)).toBeUndefined();
  });
});
