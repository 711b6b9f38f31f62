import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseLink, schemes } from "../../../../../reference/daemon/import/schemes/parse-link.js";
import { propertyRuns, propertySeed } from "../../../../support/property-seed.js";
import { linkBuilders } from "./link-builders.js";

describe("parseLink with random links", () => {
  it.each(Object.entries(linkBuilders))("returns the fields of %s links", (_, links) => {
    fc.assert(
      fc.property(links, ({ link, want }) => {
        const entry = parseLink(link);
        if (entry.kind === "rejected") expect.fail(`${entry.reason}: ${link}`);
        const { protocol, server, port, name, settings } = entry.node;
        expect({ protocol, server, port, name, settings }).toEqual({
          ...{ protocol: want.protocol, server: want.server, port: want.port, name: want.name },
          settings: want.settings,
        });
        expect(entry.node).toMatchObject(want);
      }),
      { seed: propertySeed, numRuns: propertyRuns(300) },
    );
  });

  it("is tested with every scheme except http and https", () => {
    const built = Object.values(linkBuilders).flatMap((links) => fc.sample(links, { seed: propertySeed, numRuns: 1 }));
    const covered = new Set(built.map(({ link }) => link.slice(0, link.indexOf("://"))));
    const missed = schemes.filter(({ names }) => !names.some((name) => covered.has(name)));
    expect(missed.flatMap(({ names }) => names)).toEqual(["http", "https"]);
  });
});
