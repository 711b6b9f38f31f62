import type { Mask } from "../../excerpt.js";
import { createMask } from "../../mask.js";
import { maskSecretFields } from "../exchange/quote.js";
import type { RecordedExchange } from "./traffic.js";

/** Creates a mask of the credentials of a request, besides everything that is secret by its place. */
export function maskOf({ request }: Pick<RecordedExchange, "request">): Mask {
  return createMask(secretsOf(request));
}

/** Whether the values of a parameter are secret by its name. */
export function isSecretName(name: string): boolean {
  return maskSecretFields(`${name}=x`) !== `${name}=x`;
}

function secretsOf({ headers, target }: RecordedExchange["request"]): string[] {
  const { authorization = "", cookie = "" } = headers;
  const [, scheme = "", credentials = ""] = /^(\S+)\s+(.*)$/.exec(authorization) ?? [];
  const isBasic = scheme.toLowerCase() === "basic";
  const key = isBasic
    ? Buffer.from(credentials, "base64")
        .toString("utf8")
        .replace(/^[^:]*:/, "")
    : credentials;
  const cookies = cookie.split(";").map((pair) => pair.replace(/^[^=]*=/, "").trim());
  const inQuery = [...new URLSearchParams(target.split("?", 2)[1] ?? "")].flatMap(([name, value]) =>
    isSecretName(name) ? value : [],
  );
  return [credentials, key, ...cookies, ...inQuery].filter((secret) => secret !== "");
}
