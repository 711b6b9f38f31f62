import { anytls } from "./anytls.js";
import { hysteria } from "./hysteria.js";
import { hysteria2 } from "./hysteria2.js";
import { juicity } from "./juicity.js";
import { mieru } from "./mieru.js";
import { naiveHttps, naiveQuic } from "./naive.js";
import { nestedSubscription } from "./nested-subscription.js";
import type { Scheme } from "./scheme.js";
import { shadowsocks } from "./shadowsocks.js";
import { shadowsocksr } from "./shadowsocksr.js";
import { snell } from "./snell.js";
import { socks } from "./socks.js";
import { ssh } from "./ssh.js";
import { trojan } from "./trojan.js";
import { tuic } from "./tuic.js";
import { vless } from "./vless.js";
import { vmess } from "./vmess.js";
import { wireguard } from "./wireguard.js";

/** Every scheme that is known. */
export const schemes: readonly Scheme[] = [
  trojan,
  vless,
  vmess,
  shadowsocks,
  shadowsocksr,
  hysteria,
  hysteria2,
  tuic,
  wireguard,
  anytls,
  socks,
  naiveHttps,
  naiveQuic,
  ssh,
  snell,
  mieru,
  juicity,
  nestedSubscription,
];
