import { readV2rayLink, type V2rayLinkForm } from "./read-v2ray-link.js";
import type { Scheme } from "./scheme.js";
import { splitLink } from "./split-link.js";

const form: V2rayLinkForm = {
  protocol: "trojan",
  credential: "password",
  missingCredential: "missing-password",
  usualPort: 443,
  usualSecurity: "tls",
};

/**
 * `trojan://password@host:443?sni=host#name`, see https://github.com/trojan-gfw/trojan-url. The whole userinfo is the password, with
 * its colons.
 */
export const trojan: Scheme = {
  names: ["trojan"],
  parse: (rest) => readV2rayLink(splitLink(rest), form),
};
