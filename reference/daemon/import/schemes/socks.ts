import { percentDecode } from "../../../../src/percent-decode.js";
import type { RejectionReason } from "../entry.js";
import type { ProxyNode } from "../proxy-node.js";
import { userSettings } from "./link-forms.js";
import { decodeBase64, readName } from "./link-text.js";
import { readEndpoint } from "./read-endpoint.js";
import {
  type Credentials,
  hidesUserinfo,
  type SplitAuthority,
  splitAtColon,
  splitAuthority,
  splitCredentials,
  splitLink,
} from "./split-link.js";

/**
 * `socks://user:password@host:1080#name`. v2rayN encodes the user and the password in base64, other programs everything
 * before the name.
 */
export function readSocks(rest: string): ProxyNode | RejectionReason {
  const link = splitLink(rest);
  if (hidesUserinfo(link)) return "undecodable";
  const whole = /[@:.]/.test(link.main) ? undefined : readWhole(link.main);
  if (whole === undefined && isLongWord(link.main)) return "undecodable";
  const address = whole ?? link;
  const endpoint = readEndpoint(address, 1080);
  if (typeof endpoint === "string") return endpoint;
  return {
    protocol: "socks",
    name: readName(link.fragment),
    server: endpoint.server,
    port: endpoint.port,
    transport: "tcp",
    security: "none",
    checksCertificate: true,
    settings: userSettings(whole === undefined ? readCredentials(link.userinfo) : splitAtColon(whole.userinfo)),
  };
}

/** Undefined if it is not base64, such as `localhost`. */
function readWhole(main: string): SplitAuthority | undefined {
  const decoded = decodeBase64(percentDecode(main.endsWith("/") ? main.slice(0, -1) : main));
  return decoded?.includes(":") ? splitAuthority(decoded) : undefined;
}

/**
 * Base64 that cannot be decoded must not count as a server, because it would show the password. No server has such a
 * name.
 */
function isLongWord(main: string): boolean {
  return main.length > maxWordLength && !/[@:.]/.test(main);
}

const maxWordLength = 15;

function readCredentials(userinfo: string): Credentials {
  const decoded = decodeBase64(percentDecode(userinfo));
  return decoded?.includes(":") ? splitAtColon(decoded) : splitCredentials(userinfo);
}
