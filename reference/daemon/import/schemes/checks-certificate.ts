import { isOn } from "./is-on.js";
import type { Wrapping } from "./read-query.js";

/** Whether the certificate of the server is checked: yes, unless a parameter asks for the opposite. */
export function checksCertificate(wrapping: Wrapping): boolean {
  const { allowInsecure, insecure, allow_insecure, "skip-cert-verify": skipVerify } = wrapping;
  return !(isOn(allowInsecure) || isOn(insecure) || isOn(allow_insecure) || isOn(skipVerify));
}
