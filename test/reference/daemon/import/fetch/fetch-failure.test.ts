import { describe, expect, it } from "vitest";
import { FetchFailure, toFetchReason } from "../../../../../reference/daemon/import/fetch/fetch-failure.js";

const withCode = (code: unknown) => Object.assign(new Error("x"), { code });

describe("toFetchReason", () => {
  it.each([
    ["ECONNREFUSED", "refused"],
    ["ENOTFOUND", "unresolved"],
    ["EAI_AGAIN", "unresolved"],
    ["EAI_FAIL", "unresolved"],
    ["EHOSTUNREACH", "unreachable"],
    ["ENETUNREACH", "unreachable"],
    ["EACCES", "unreachable"],
    ["ERR_SOCKET_BAD_PORT", "unreachable"],
    ["ETIMEDOUT", "timeout"],
    ["ECONNRESET", "connection-lost"],
    ["EPIPE", "connection-lost"],
    ["ERR_STREAM_PREMATURE_CLOSE", "connection-lost"],
    ["HPE_INVALID_EOF_STATE", "connection-lost"],
    ["HPE_INVALID_CONSTANT", "not-http"],
    ["HPE_CR_EXPECTED", "not-http"],
    ["HPE_HEADER_OVERFLOW", "too-large"],
    ["EPROTO", "tls"],
    ["CERT_HAS_EXPIRED", "tls"],
    ["DEPTH_ZERO_SELF_SIGNED_CERT", "tls"],
    ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "tls"],
    ["ERR_TLS_CERT_ALTNAME_INVALID", "tls"],
    ["ERR_SSL_WRONG_VERSION_NUMBER", "tls"],
    ["constructor", "unreachable"],
    ["", "unreachable"],
    [7, "unreachable"],
  ])("maps %s to %s", (code, kind) => {
    expect(toFetchReason(withCode(code))).toEqual({ kind });
  });

  it.each([undefined, null, "ECONNREFUSED", { code: "ECONNREFUSED" }, new Error("ECONNREFUSED")])(
    "maps an error without a known code to unreachable: %#",
    (error) => {
      expect(toFetchReason(error)).toEqual({ kind: "unreachable" });
    },
  );

  it("uses the first of several errors", () => {
    const errors = [withCode("ECONNREFUSED"), withCode("ENETUNREACH")];
    expect(toFetchReason(Object.assign(new AggregateError(errors), { code: "ECONNREFUSED" }))).toEqual({
      kind: "refused",
    });
  });

  it("keeps the reason of a FetchFailure", () => {
    expect(toFetchReason(new FetchFailure({ kind: "http-status", status: 404 }))).toEqual({
      kind: "http-status",
      status: 404,
    });
  });
});
