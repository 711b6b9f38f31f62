import { percentDecode } from "./percent-decode.js";

/** A user and a password, decoded. Without a colon there is no password. */
export interface Credentials {
  readonly user: string;
  readonly password: string | undefined;
}

/** Splits `user:password` at the first colon. Some programs encode the colon as well; then the first one after decoding counts. */
export function splitCredentials(userinfo: string): Credentials {
  const colon = userinfo.indexOf(":");
  if (colon >= 0)
    return { user: percentDecode(userinfo.slice(0, colon)), password: percentDecode(userinfo.slice(colon + 1)) };
  return splitAtColon(percentDecode(userinfo));
}

/** Splits text that needs no decoding. */
export function splitAtColon(text: string): Credentials {
  const colon = text.indexOf(":");
  if (colon < 0) return { user: text, password: undefined };
  return { user: text.slice(0, colon), password: text.slice(colon + 1) };
}
