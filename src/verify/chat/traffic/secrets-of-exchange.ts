import type { Mask } from "../../excerpt.js";
import { createMask } from "../../mask.js";
import type { RecordedExchange } from "../../traffic/traffic.js";
import { maskSecretFields } from "../exchange/quote.js";

/** Masks by the secrets that they mask, because the requests of a client have the same, and creating a mask takes long. */
const masks = new Map<string, Mask>();
const maxMasks = 100;

/** Returns a mask of the credentials of a request, besides everything that is secret by its place. */
export function maskOf({ request }: Pick<RecordedExchange, "request">): Mask {
  const secrets = secretsOf(request);
  const key = JSON.stringify(secrets);
  const known = masks.get(key);
  if (known !== undefined) return known;
  if (masks.size >= maxMasks) masks.clear();
  const mask = remembering(createMask(secrets));
  masks.set(key, mask);
  return mask;
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

/** Shorter texts in place of an address are no keys, and occur everywhere. */
const minKeyLength = 12;

/** Whether the values of a parameter are secret by its name. */
export function isSecretName(name: string): boolean {
  return maskSecretFields(`${name}=x`) !== `${name}=x`;
}

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
    isSecretName(name) ? value : [],
  );
  return [credentials, key, misplaced, ...cookies, ...inQuery].filter((secret) => secret !== "");
}
