import type { JsonObject } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { methodOf } from "../../../src/contract/rpc/contract.js";
import { loadDaemonContract } from "../../../src/daemon/daemon-contract.js";
import { maskMessage, maskUrl } from "../../../src/judge/rpc/report-mask.js";
import { secretsOfRequests } from "../../verify/rpc/expect-masked.js";

const contract = await loadDaemonContract();
const { cases } = contract;

describe("maskUrl", () => {
  it.each([
    ["http://grace:vX9pLm3QwE@127.0.0.1:4711/s?q#f", "http://127.0.0.1:4711/***"],
    ["https://sub.example", "https://sub.example/***"],
    ["ftp://mirror:bR7kWq2ZxN@ftp.example/", "***"],
    ["https://sub.example:https/s/t0ken", "***"],
    ["", "***"],
  ])("masks %j as %j", (given, want) => {
    expect(maskUrl(given)).toBe(want);
  });
});

describe("maskMessage", () => {
  it("masks the URL alone", () => {
    const { input } = methodOf(contract, "ProxySubscriptions/ApplyImport");
    const mask = (request: JsonObject) => maskMessage(input, request, contract.isSecret);
    const request = { id: 7, url: "https://sub.example/s/t0ken", name: "Northwind" };
    expect(mask(request)).toEqual({ id: 7, url: "https://sub.example/***", name: "Northwind" });
    expect(mask({ id: 7 })).toEqual({ id: 7 });
  });
});

describe("secretsToMask", () => {
  it.each([
    ["preview-trojan-list", ["6f1e2a9c04d84b7f9a35c1e0d27b88aa"]],
    ["preview-basic-authentication", ["Hy5mZs9LqB"]],
    ["preview-sip008", ["27b8a625", "nLq7ZrT3yU"]],
    ["preview-sing-box", ["kJ8mPq4L"]],
    ["redact-percent-encoded", ["süß/es Geheimnis"]],
    ["redact-user-name", ["tok-5b1f8e0a2d"]],
    ["redact-fragment", ["key=pZ4sKd8HqT", "pZ4sKd8HqT"]],
    ["redact-other-scheme", ["bR7kWq2ZxN"]],
    ["select-nothing", ["6f1e2a9c04d84b7f9a35c1e0d27b88aa"]],
    ["login-cancel", []],
  ])("finds the secrets of %s", (name, want) => {
    const one = cases.find((candidate) => candidate.name === name);
    expect(one === undefined ? undefined : secretsOfRequests(one, contract).sort()).toEqual(want);
  });
});
