import type { JsonObject } from "@bufbuild/protobuf";
import type { DaemonCase } from "../../contract/daemon/cases.js";
import { redacted, redactUrl } from "../../daemon/redact.js";
import { percentDecode } from "../../percent-decode.js";
import { maskedText } from "../mask.js";

/** Shorter pieces of a URL are not tokens. */
const minTokenLength = 8;

/** Masks all of a URL but scheme, host and port: `http://127.0.0.1:4711/***`. */
export function maskUrl(url: string): string {
  const shown = redactUrl(url);
  return shown === redacted ? maskedText : `${shown}/${maskedText}`;
}

/** Masks the URL of a request. */
export function maskRequest(request: JsonObject): JsonObject {
  return typeof request.url === "string" ? { ...request, url: maskUrl(request.url) } : request;
}

/**
 * The texts that a report about a case must not show: its `secrets`, and from each of its URLs the password and the pieces that look
 * like tokens, with at least eight characters and a digit.
 */
export function secretsToMask({ secrets = [], request, given }: DaemonCase): string[] {
  const urls = [request, ...(given?.calls ?? []).map((call) => call.request)].map(({ url }) => String(url ?? ""));
  return [...new Set([...secrets, ...urls.flatMap(tokensOf)])];
}

function tokensOf(url: string): string[] {
  const [, authority = "", rest = ""] = /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)(.*)$/is.exec(url) ?? [];
  const userinfo = authority.slice(0, Math.max(authority.lastIndexOf("@"), 0));
  const pieces = `${userinfo}/${rest}`.split(/[/?#&=:]/).map(percentDecode);
  const password = percentDecode(userinfo.slice(userinfo.indexOf(":") + 1));
  const tokens = pieces.filter((piece) => /\d/.test(piece));
  return [...tokens, ...(userinfo.includes(":") ? [password] : [])].filter((piece) => piece.length >= minTokenLength);
}
