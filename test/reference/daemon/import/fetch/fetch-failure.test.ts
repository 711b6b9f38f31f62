import { describe, expect, it } from "vitest";
import { toFetchReason } from "../../../../../reference/daemon/import/fetch/fetch-failure.js";

/** Codes that no test can provoke with a server of its own. */
describe("toFetchReason", () => {
  it.each([
    ["EAI_AGAIN", "unresolved"],
    ["EHOSTUNREACH", "unreachable"],
    ["ERR_SOCKET_BAD_PORT", "unreachable"],
    ["ETIMEDOUT", "timeout"],
    ["ERR_SOCKET_CONNECTION_TIMEOUT", "timeout"],
    ["EPIPE", "connection-lost"],
    ["HPE_CHUNK_EXTENSIONS_OVERFLOW", "too-large"],
    ["CERT_HAS_EXPIRED", "tls"],
    ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "tls"],
    ["", "unreachable"],
    [7, "unreachable"],
  ])("maps %s to %s", (code, kind) => {
    expect(toFetchReason(Object.assign(new Error("x"), { code }))).toEqual({ kind });
    expect(toFetchReason({ code })).toEqual({ kind: "unreachable" });
  });
});
