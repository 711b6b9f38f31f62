import type { Mask } from "../../excerpt.js";
import { isCredentialHeader, isMaskedName } from "../../find-secret-fields.js";
import { createMask } from "../../mask.js";
import type { RecordedExchange } from "../../traffic/traffic.js";

/** Masks the texts of a run. */
export interface ExchangeMasks {
  /** Remembers the secrets of a request, because a later exchange may show them elsewhere. */
  readonly learn: (exchange: Pick<RecordedExchange, "request">) => void;
  /**
   * Learns the secrets of an exchange only when a mask or another exchange needs them, because most exchanges are
   * forwarded before that.
   */
  readonly learnLater: (exchange: Pick<RecordedExchange, "request">) => void;
  /** Returns a mask of the secrets of an exchange and of recent ones, besides everything that is secret by its place. */
  readonly maskOf: (exchange: Pick<RecordedExchange, "request">) => Mask;
}

/** The parts of a request that are searched for secrets. */
type SentParts = Pick<RecordedExchange["request"], "headers" | "target">;

/**
 * How many secrets of earlier exchanges are remembered, and how many of one exchange. Each costs 1 ms whenever another
 * is added.
 */
const maxRemembered = 24;
const maxRememberedOfOne = 6;
const maxMasks = 100;
const maxPending = 1_000;

/** Creates the masks of a run. */
export function createExchangeMasks(): ExchangeMasks {
  /** Masks by their secrets, because the requests of a client have the same secrets, and creating a mask takes a long time. */
  const masks = new Map<string, Mask>();
  const remembered = new Set<string>();
  let pending: SentParts[] = [];

  function learnPending(): void {
    const all = pending;
    pending = [];
    for (const request of all) remember(request);
  }

  function remember(request: SentParts): string[] {
    const secrets = secretsOf(request);
    for (const secret of secrets.slice(0, maxRememberedOfOne)) {
      // The most recent come last.
      remembered.delete(secret);
      remembered.add(secret);
    }
    for (const secret of remembered) {
      if (remembered.size <= maxRemembered) break;
      remembered.delete(secret);
    }
    return secrets;
  }

  return {
    learn: ({ request }) => {
      learnPending();
      remember(request);
    },
    learnLater: ({ request: { headers, target } }) => {
      if (pending.length >= maxPending) learnPending();
      pending.push({ headers, target });
    },
    maskOf: ({ request }) => {
      learnPending();
      const secrets = [...new Set([...remember(request), ...remembered])].sort();
      const key = JSON.stringify(secrets);
      const known = masks.get(key);
      if (known !== undefined) return known;
      if (masks.size >= maxMasks) masks.clear();
      const mask = remembering(createMask(secrets));
      masks.set(key, mask);
      return mask;
    },
  };
}

/** How many texts a mask remembers, and of what length: the same findings occur again and again. */
const maxTexts = 200;
const maxTextLength = 500;

function remembering(mask: Mask): Mask {
  const masked = new Map<string, string>();
  return (text) => {
    if (text.length > maxTextLength) return mask(text);
    const known = masked.get(text);
    if (known !== undefined) return known;
    if (masked.size >= maxTexts) masked.clear();
    const result = mask(text);
    masked.set(text, result);
    return result;
  };
}

/** Shorter texts in place of an address are too common to be keys. */
const minKeyLength = 12;

function secretsOf({ headers, target }: SentParts): string[] {
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
