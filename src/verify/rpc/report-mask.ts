import type { JsonObject } from "@bufbuild/protobuf";
import type { DaemonCase } from "../../contract/rpc/cases.js";
import { earlierCalls } from "../../contract/rpc/evidence.js";
import { redacted, redactUrl } from "../../daemon/redact.js";
import { maskedText } from "../mask.js";
import { secretsOfUrl } from "./url-parts.js";

/** Masks all of a URL but scheme, host and port: `http://127.0.0.1:4711/***`. */
export function maskUrl(url: string): string {
  const shown = redactUrl(url);
  return shown === redacted ? maskedText : `${shown}/${maskedText}`;
}

/** Masks the URL of a request. */
export function maskRequest(request: JsonObject): JsonObject {
  return typeof request.url === "string" ? { ...request, url: maskUrl(request.url) } : request;
}

/** The texts that a report about a case must not show: its `secrets`, and what looks like a secret in its URLs. */
export function secretsToMask({ secrets = [], request, given = [] }: DaemonCase): string[] {
  const urls = [request, ...earlierCalls({ given }).map((call) => call.with)].map(({ url }) => String(url ?? ""));
  return [...new Set([...secrets, ...urls.flatMap(secretsOfUrl).map(({ secret }) => secret)])];
}
