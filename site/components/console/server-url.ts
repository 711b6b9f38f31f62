import { parseUrl } from "../../../src/base/parse-url.js";

/** A parsed server URL, or the problem with it. */
export type ServerUrl =
  | { readonly kind: "url"; readonly url: string }
  | { readonly kind: "problem"; readonly problem: string };

/** The URLs at which `npm start`, `accord mock` and `accord serve` listen by default. */
export const defaultServers = {
  chat: [
    { name: "mock", url: "http://127.0.0.1:4010" },
    { name: "reference", url: "http://127.0.0.1:4011" },
  ],
  daemon: [{ name: "mock", url: "http://127.0.0.1:4020" }],
} as const;

/** Parses the URL of a server, with or without `/api/v1` and a trailing slash. */
export function parseServerUrl(text: string): ServerUrl {
  const url = parseUrl(text.trim());
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    return { kind: "problem", problem: "Write an http or https URL, such as http://127.0.0.1:4010." };
  }
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    return { kind: "problem", problem: "Write the URL without credentials, query and fragment." };
  }
  const path = url.pathname.replace(/\/+$/, "").replace(/\/api\/v1$/, "");
  return { kind: "url", url: `${url.origin}${path}` };
}
