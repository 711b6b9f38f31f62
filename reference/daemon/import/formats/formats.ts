import { base64UriList } from "./base64-uri-list.js";
import { clash } from "./clash/clash.js";
import type { Format } from "./format.js";
import { singBox } from "./sing-box/sing-box.js";
import { sip008 } from "./sip008/sip008.js";
import { uriList } from "./uri-list.js";

/** Every known format, in the order in which content is tried: what is easy to mistake for another comes later. */
export const formats: readonly Format[] = [sip008, singBox, uriList, base64UriList, clash];
