import type { JsonObject } from "@bufbuild/protobuf";
import type { DaemonCase } from "../../contract/daemon/cases.js";
import { redacted, redactUrl } from "../../daemon/redact.js";
import { createMask } from "../mask.js";
import { createSecretFinder } from "./create-secret-finder.js";

/** Shorter pieces of a URL are no tokens. */
const shortest = 8;

/** What stands in the place of a secret. */
export const mask = "***";

/** A URL of which only scheme, host and port show, such as `http://127.0.0.1:4711/***`. */
export function maskUrl(url: string): string {
  const shown = redactUrl(url);
  return shown === redacted ? mask : `${shown}/${mask}`;
}

/** A request whose URL is masked. */
export function maskRequest(request: JsonObject): JsonObject {
  return typeof request.url === "string" ? { ...request, url: maskUrl(request.url) } : request;
}

/**
 * Makes a function that puts `***` in the place of secrets. A text that still shows one in some spelling is withheld as a whole.
 */
export function createReportMask(secrets: readonly string[]): (text: string) => string {
  const maskText = createMask(secrets);
  const find = createSecretFinder(secrets);
  return (text) => {
    const masked = maskText(text);
    return find(masked).length === 0 ? masked : `${mask} (withheld, because it spells a secret)`;
  };
}

/**
 * What must not show in a report about a case: its `secrets`, and of every URL in it the password and whatever looks like a token,
 * which is a piece of at least eight characters with a digit among them.
 */
export function secretsToMask({ secrets = [], request, given }: DaemonCase): string[] {
  const urls = [request, ...(given?.calls ?? []).map((call) => call.request)].map(({ url }) => String(url ?? ""));
  return [...new Set([...secrets, ...urls.flatMap(tokensOf)])];
}

function tokensOf(url: string): string[] {
  const [, authority = "", rest = ""] = /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)(.*)$/is.exec(url) ?? [];
  const userinfo = authority.slice(0, Math.max(authority.lastIndexOf("@"), 0));
  const pieces = `${userinfo}/${rest}`.split(/[/?#&=:]/).map(decoded);
  const password = decoded(userinfo.slice(userinfo.indexOf(":") + 1));
  const tokens = pieces.filter((piece) => /\d/.test(piece));
  return [...tokens, ...(userinfo.includes(":") ? [password] : [])].filter((piece) => piece.length >= shortest);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
