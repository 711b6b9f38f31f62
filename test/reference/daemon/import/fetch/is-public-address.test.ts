import fc from "fast-check";
import { expect, it } from "vitest";
import { isPublicAddress } from "../../../../../reference/daemon/import/fetch/resolve-host.js";
import { propertyRuns, propertySeed } from "../../../../support/property-seed.js";

const publicAddresses = `
  93.184.216.34 8.8.8.8 172.15.255.255 172.32.0.0 2606:2800:220:1:248:1893:25c8:1946 2001:4860:4860::8888
  ::ffff:8.8.8.8 64:ff9b::808:808 168.63.129.15`;
const otherAddresses = `
  0.0.0.0 0.1.2.3 10.0.0.1 100.64.0.1 127.0.0.1 127.255.255.254 169.254.169.254 168.63.129.16 ::ffff:168.63.129.16
  64:ff9b::a83f:8110 172.16.0.1 172.31.255.255 192.0.0.8 192.0.2.1 192.168.1.1 198.18.0.1 198.51.100.1 203.0.113.1
  224.0.0.1 240.0.0.1 255.255.255.255 :: ::1 ::127.0.0.1 ::8.8.8.8 ::ffff:127.0.0.1 ::ffff:7f00:1
  ::ffff:169.254.169.254 ::ffff:0:127.0.0.1 64:ff9b::7f00:1 64:ff9b::a00:1 64:ff9b:1::808:808 100::1 2001::1
  2001:0:808:808::f5ff:fffe 2001:db8::1 2002:7f00:1:: 2002:808:808::1 3fff::1 5f00::1 4000::1 fc00::1
  fd00:ec2::254 fe80::1 fe80::1%eth0 fec0::1 ff02::1 localhost 1.2.3.4.5 134744072 0x08.8.8.8 ::808:808`;
const listed = (text: string) => text.trim().split(/\s+/);

it.each(listed(publicAddresses))("says that %s is public", (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

it.each(["", ...listed(otherAddresses)])("says that %j is not public", (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

it("classifies IPv4-mapped and NAT64 addresses by their IPv4 address", () => {
  fc.assert(
    fc.property(fc.ipV4(), (address) => {
      const want = isPublicAddress(address);
      expect(isPublicAddress(`::ffff:${address}`)).toBe(want);
      expect(isPublicAddress(`64:ff9b::${address}`)).toBe(want);
      expect(isPublicAddress(`::${address}`)).toBe(false);
    }),
    { seed: propertySeed, numRuns: propertyRuns(200) },
  );
});
