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

/** Reads a link whose user, password and server are base64 as a whole. Undefined for any other, such as `localhost`. */
function readWhole(main: string): SplitAuthority | undefined {
  const decoded = decodeBase64(percentDecode(main.endsWith("/") ? main.slice(0, -1) : main));
  return decoded?.includes(":") ? splitAuthority(decoded) : undefined;
}

/** Whether a text is too long and plain for a server name. It may be base64 that cannot be decoded, which would show the password. */
function isLongWord(main: string): boolean {
  return main.length > maxWordLength && !/[@:.]/.test(main);
}

const maxWordLength = 15;

function readCredentials(userinfo: string): Credentials {
  const decoded = decodeBase64(percentDecode(userinfo));
  return decoded?.includes(":") ? splitAtColon(decoded) : splitCredentials(userinfo);
}
