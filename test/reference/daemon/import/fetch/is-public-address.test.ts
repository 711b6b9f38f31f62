import fc from "fast-check";
import { expect, it } from "vitest";
import { isPublicAddress } from "../../../../../reference/daemon/import/fetch/resolve-host.js";
import { propertyRuns, propertySeed } from "../../../../support/property-seed.js";

it.each([
  ["93.184.216.34", true],
  ["8.8.8.8", true],
  ["172.15.255.255", true],
  ["172.32.0.0", true],
  ["2606:2800:220:1:248:1893:25c8:1946", true],
  ["2001:4860:4860::8888", true],
  ["::ffff:8.8.8.8", true],
  ["64:ff9b::808:808", true],
  ["0.0.0.0", false],
  ["0.1.2.3", false],
  ["10.0.0.1", false],
  ["100.64.0.1", false],
  ["127.0.0.1", false],
  ["127.255.255.254", false],
  ["169.254.169.254", false],
  ["168.63.129.16", false],
  ["168.63.129.15", true],
  ["::ffff:168.63.129.16", false],
  ["64:ff9b::a83f:8110", false],
  ["172.16.0.1", false],
  ["172.31.255.255", false],
  ["192.0.0.8", false],
  ["192.0.2.1", false],
  ["192.168.1.1", false],
  ["198.18.0.1", false],
  ["198.51.100.1", false],
  ["203.0.113.1", false],
  ["224.0.0.1", false],
  ["240.0.0.1", false],
  ["255.255.255.255", false],
  ["::", false],
  ["::1", false],
  ["::127.0.0.1", false],
  ["::8.8.8.8", false],
  ["::ffff:127.0.0.1", false],
  ["::ffff:7f00:1", false],
  ["::ffff:169.254.169.254", false],
  ["::ffff:0:127.0.0.1", false],
  ["64:ff9b::7f00:1", false],
  ["64:ff9b::a00:1", false],
  ["64:ff9b:1::808:808", false],
  ["100::1", false],
  ["2001::1", false],
  ["2001:0:808:808::f5ff:fffe", false],
  ["2001:db8::1", false],
  ["2002:7f00:1::", false],
  ["2002:808:808::1", false],
  ["3fff::1", false],
  ["5f00::1", false],
  ["4000::1", false],
  ["fc00::1", false],
  ["fd00:ec2::254", false],
  ["fe80::1", false],
  ["fe80::1%eth0", false],
  ["fec0::1", false],
  ["ff02::1", false],
  ["", false],
  ["localhost", false],
  ["1.2.3.4.5", false],
  ["134744072", false],
  ["0x08.8.8.8", false],
  ["::808:808", false],
])("says whether %s is public: %s", (address, want) => {
  expect(isPublicAddress(address)).toBe(want);
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
