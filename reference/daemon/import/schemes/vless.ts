import { readV2rayLink, type V2rayLinkForm } from "./read-v2ray-link.js";
import type { Scheme } from "./scheme.js";
import { splitLink } from "./split-link.js";

const form: V2rayLinkForm = {
  protocol: "vless",
  credential: "uuid",
  missingCredential: "missing-user-id",
  usualPort: undefined,
  usualSecurity: "none",
};

/** `vless://uuid@host:port?type=tcp&security=tls#name`, see https://github.com/XTLS/Xray-core/discussions/716. */
export const vless: Scheme = {
  names: ["vless"],
  parse: (rest) => readV2rayLink(splitLink(rest), form),
};
