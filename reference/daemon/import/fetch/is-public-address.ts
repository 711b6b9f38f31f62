import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** Where IPv6 addresses of the internet are (RFC 4291, IANA "IPv6 Global Unicast Address Assignments"). */
const globalUnicast = ipaddr.IPv6.parse("2000::");
/** The prefix behind which a NAT64 gateway reaches IPv4 (RFC 6052). In an IPv6-only network every IPv4 host is behind it. */
const nat64 = ipaddr.IPv6.parse("64:ff9b::");
/** Where Azure's agent answers each virtual machine, like 169.254.169.254 elsewhere, though IANA lists nothing of the sort. */
const azureAgent = "168.63.129.16";

/**
 * Whether an IP address is one of the internet: neither loopback, private, link-local, shared, multicast, reserved, for documentation
 * nor that of a cloud's agent.
 *
 * An IPv6 address that stands for an IPv4 address counts as that address when it is IPv4-mapped or NAT64; 6to4 and Teredo, which
 * nobody needs any more, are never public. What is no IP address is not public either.
 */
export function isPublicAddress(address: string): boolean {
  // The library takes ::127.0.0.1 for ::ffff:127.0.0.1, and numbers alone for addresses.
  if (isIP(address) === 0 || /^::\d+\./.test(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.range() === "unicast" && parsed.toString() !== azureAgent;
  if (parsed.isIPv4MappedAddress()) return isPublicAddress(parsed.toIPv4Address().toString());
  if (parsed.match(nat64, 96)) return isPublicAddress(parsed.toByteArray().slice(12).join("."));
  // The library calls every address without a special range unicast, such as ::7f00:1.
  return parsed.range() === "unicast" && parsed.match(globalUnicast, 3);
}
