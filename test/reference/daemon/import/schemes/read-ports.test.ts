import { describe, expect, it } from "vitest";
import { readPort, readPorts } from "../../../../../reference/daemon/import/schemes/read-endpoint.js";

const noPort = [
  "",
  "0",
  "00000",
  "65536",
  "70000",
  "000443",
  "-1",
  "+1",
  "1.0",
  "1e3",
  "0x50",
  " 1",
  "1\n",
  "abc",
  "١",
  "443:1",
];

describe("readPort", () => {
  it.each([
    ["1", 1],
    ["443", 443],
    ["00443", 443],
    ["65535", 65_535],
  ])("accepts %j", (given, want) => {
    expect(readPort(given)).toBe(want);
  });

  it.each(noPort)("rejects %j", (given) => {
    expect(readPort(given)).toBeUndefined();
  });
});

describe("readPorts", () => {
  it.each([
    ["443", 443],
    ["123,5000-6000", 123],
    ["5000-6000", 5000],
    ["5000-5000,1", 5000],
  ])("returns the first port of %j", (given, want) => {
    expect(readPorts(given)).toBe(want);
  });

  it.each([...noPort, ",", "1,", ",1", "1-", "-", "6000-5000", "1-2-3", "1,0", "1,70000", "1-65536", "1;2"])(
    "rejects %j",
    (given) => {
      expect(readPorts(given)).toBeUndefined();
    },
  );
});
