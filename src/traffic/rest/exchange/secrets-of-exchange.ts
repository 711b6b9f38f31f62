import type { Mask } from "../../../verify/excerpt.js";
import { isCredentialHeader, isMaskedName } from "../../../verify/find-secret-fields.js";
import { createMask } from "../../../verify/mask.js";
import type { RecordedExchange } from "../../recorded/recorded-exchange.js";

/** Masks the texts of a run. */
export interface ExchangeMasks {
  /**
   * Returns a mask of the secrets of a request and of recent ones, besides everything that is secret by its place. Remembers them, because
   * a later exchange may show them elsewhere.
   */
  readonly maskOf: (exchange: Pick<RecordedExchange, "request">) => Mask;
}

/** How many secrets of earlier exchanges are remembered, and how many of one exchange. */
const maxRemembered = 24;
const maxRememberedOfOne = 6;

/** Creates the masks of a run. */
export function createExchangeMasks(): ExchangeMasks {
  const remembered = new Set<string>();
  /** The requests of a client have the same secrets. */
  let latest: { readonly key: string; readonly mask: Mask } | undefined;

  function remember(secrets: readonly string[]): void {
    for (const secret of secrets.slice(0, maxRememberedOfOne)) {
      // The most recent come last.
      remembered.delete(secret);
      remembered.add(secret);
    }
    for (const secret of remembered) {
      if (remembered.size <= maxRemembered) break;
      remembered.delete(secret);
    }
  }

  return {
    maskOf: ({ request }) => {
      const own = secretsOf(request);
      remember(own);
      const secrets = [...new Set([...own, ...remembered])].sort();
      const key = JSON.stringify(secrets);
      if (latest?.key !== key) latest = { key, mask: createMask(secrets) };
      return latest.mask;
    },
  };
}

/** Shorter texts in place of an address are too common to be keys. */
const minKeyLength = 12;

function secretsOf({ headers, target }: RecordedExchange["request"]): string[] {
  const { authorization = "", cookie = "" } = headers;
  // Without a scheme, the whole header is the key.
  const [, scheme = "", credentials = authorization] = /^(\S+)\s+(.*)$/.exec(authorization) ?? [];
  const isBasic = scheme.toLowerCase() === "basic";
  const [, user = "", key = ""] = isBasic
    ? (/^([^:]*):?(.*)$/s.exec(Buffer.from(credentials, "base64").toString("utf8")) ?? [])
    : ["", "", credentials];
  // Some clients send the key in place of the e-mail address.
  const misplaced = user.includes("@") || user.length < minKeyLength ? "" : user;
  const cookies = cookie.split(";").map((pair) => pair.replace(/^[^=]*=/, "").trim());
  const inQuery = [...new URLSearchParams(target.split("?", 2)[1] ?? "")].flatMap(([name, value]) =>
    isMaskedName(name) ? value : [],
  );
  const inHeaders = Object.entries(headers).flatMap(([name, value]) =>
    name !== "authorization" && name !== "cookie" && isCredentialHeader(name) ? value.replace(/^\S+\s+/, "") : [],
  );
  return [...new Set([credentials, key, misplaced, ...cookies, ...inQuery, ...inHeaders])].filter(
    (secret) => secret !== "",
  );
}
