import type { Security } from "../proxy-node.js";
import type { Settings, Wrapping } from "./read-query.js";

/** Reads `security`. A public key of REALITY (`pbk`) says as much. Undefined when the security is not known. */
export function readSecurity(
  { security }: Wrapping,
  { pbk }: Readonly<Settings>,
  usual: Security,
): Security | undefined {
  switch (security?.toLowerCase()) {
    case "none":
      return "none";
    case undefined:
      return pbk === undefined ? usual : "reality";
    case "tls":
      return pbk === undefined ? "tls" : "reality";
    case "reality":
      return "reality";
    default:
      return undefined;
  }
}
