import { readV2rayLink, type V2rayLinkForm } from "./read-v2ray-link.js";
import { readV2rayNJson } from "./read-v2rayn-json.js";
import type { Scheme } from "./scheme.js";
import { splitLink } from "./split-link.js";

const form: V2rayLinkForm = {
  protocol: "vmess",
  credential: "uuid",
  missingCredential: "missing-user-id",
  usualPort: undefined,
  usualSecurity: "none",
};

/**
 * Both forms of VMess links: JSON in base64, which comes from v2rayN, and `vmess://uuid@host:port?type=ws#name`, see
 * https://github.com/XTLS/Xray-core/discussions/716. An `@` is never base64.
 */
export const vmess: Scheme = {
  names: ["vmess"],
  parse: (rest) => {
    const link = splitLink(rest);
    return link.main.includes("@") ? readV2rayLink(link, form) : readV2rayNJson(link);
  },
};
