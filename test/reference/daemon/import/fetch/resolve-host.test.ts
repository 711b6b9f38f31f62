import { describe, expect, it } from "vitest";
import type { Target } from "../../../../../reference/daemon/import/fetch/resolve-host.js";
import { answerOf, startHost } from "./start-host.js";
import { messageOf, networkTo, publicAddress, secret, tryFetch } from "./try-fetch.js";

const notPublic = "The address of the host is not public";

describe("a non-public address", () => {
  it.each([
    "127.0.0.1",
    "127.1",
    "0x7f.1",
    "0177.0.0.1",
    "2130706433",
    "127.0.0.1.",
    "%31%32%37.0.0.1",
    "１２７.0.0.1",
    "0.0.0.0",
    "10.0.0.1",
    "169.254.169.254",
    "[::1]",
    "[::]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[64:ff9b::7f00:1]",
    "[2002:7f00:1::]",
    "[fd00::1]",
    "localhost",
    "LOCALHOST.",
    "rebind.localhost",
    "intranet.example",
  ])("is rejected without a connection: %s", async (hostname) => {
    const host = await startHost(answerOf(200));
    const resolve = async () => ["127.0.0.1", "::1", "fe80::1%lo", "::ffff:10.0.0.1", "192.168.1.1"];
    const network = networkTo(host.port, { resolve });
    const outcome = await tryFetch(`http://${hostname}:${host.port}/${secret}`, { allowPrivate: false, network });
    expect(outcome).toMatchObject({ code: "InvalidArgument", message: expect.stringContaining(notPublic) });
    expect(host.connections()).toBe(0);
  });

  it("is allowed with allowPrivate", async () => {
    const host = await startHost(answerOf(200, {}, "body"));
    expect(await messageOf(`http://127.1:${host.port}/`)).toBe("fetched");
    expect(await messageOf(`http://localhost:${host.port}/`)).toBe("fetched");
  });
});

describe("a host name", () => {
  it("is resolved once, and the connection goes to the checked address", async () => {
    const inside = await startHost(answerOf(200, {}, "inside"));
    const outside = await startHost(answerOf(200, {}, "outside"));
    const answers = [[publicAddress], ["127.0.0.1"], ["127.0.0.1"]];
    const lookups: string[] = [];
    const targets: Target[] = [];
    const network = networkTo(0, {
      resolve: async (hostname) => {
        lookups.push(hostname);
        return answers[lookups.length - 1] ?? [];
      },
      connectTo: (target) => {
        targets.push(target);
        const isOutside = target.addresses[0] === publicAddress;
        return { addresses: ["127.0.0.1"], port: isOutside ? outside.port : inside.port };
      },
    });
    const { fetched } = await tryFetch("http://rebind.example/", { allowPrivate: false, network });
    expect(fetched?.body.toString()).toBe("outside");
    expect({ lookups, targets }).toEqual({
      lookups: ["rebind.example"],
      targets: [{ addresses: [publicAddress], port: 80 }],
    });
    expect(inside.connections()).toBe(0);
  });

  it("is resolved again for a redirect, and rejected if it has become private", async () => {
    const answers = [[publicAddress], ["127.0.0.1"]];
    const host = await startHost(answerOf(302, { Location: "/again" }));
    const network = networkTo(host.port, { resolve: async () => answers.shift() ?? [] });
    const message = await messageOf(`http://rebind.example/${secret}`, { allowPrivate: false, network });
    expect(message).toBe("The host redirects to an address that is not public (http://rebind.example)");
    expect(host.connections()).toBe(1);
  });

  it("is reached only at its public addresses if it also has private ones", async () => {
    const targets: Target[] = [];
    const host = await startHost(answerOf(200));
    const network = networkTo(0, {
      resolve: async () => ["10.0.0.1", publicAddress, "::1", "2606:4700::1"],
      connectTo: (target) => {
        targets.push(target);
        return { addresses: ["127.0.0.1"], port: host.port };
      },
    });
    expect(await messageOf("http://sub.northwind.example:8080/", { allowPrivate: false, network })).toBe("fetched");
    expect(targets).toEqual([{ addresses: [publicAddress, "2606:4700::1"], port: 8080 }]);
  });

  it("is reached at the next address if one refuses", async () => {
    const host = await startHost(answerOf(200));
    // Nothing listens on that port of the first two addresses.
    const addresses = ["127.0.0.3", "::1", "127.0.0.1"];
    const network = networkTo(0, { connectTo: () => ({ addresses, port: host.port }) });
    expect(await messageOf("http://sub.northwind.example/", { network })).toBe("fetched");
  });

  it.each<[string, () => Promise<readonly string[]>]>([
    ["does not exist", () => Promise.reject(Object.assign(new Error(secret), { code: "ENOTFOUND", hostname: secret }))],
    ["fails in an unknown way", () => Promise.reject(new Error(secret))],
    ["has no address", async () => []],
    ["has only invalid addresses", async () => [secret, "", "1"]],
  ])("is reported as unresolved if it %s", async (_, resolve) => {
    const outcome = await tryFetch(`https://sub.proseware.invalid/${secret}`, { network: networkTo(1, { resolve }) });
    const message = "The host name cannot be resolved (https://sub.proseware.invalid)";
    expect(outcome).toEqual({ code: "Unavailable", message });
  });

  it.each(["sub.proseware.invalid", `${"a".repeat(64)}.invalid`, "a..b.invalid", `${"a.".repeat(300)}invalid`])(
    "is reported as unresolved by this machine: %s",
    async (hostname) => {
      expect(await messageOf(`http://${hostname}/${secret}`)).toContain("The host name cannot be resolved (http://");
    },
  );
});

describe("an IPv6 address", () => {
  it("is reached", async () => {
    const host = await startHost(answerOf(200), { address: "::1" });
    expect(await messageOf(`http://[::1]:${host.port}/`)).toBe("fetched");
    expect(host.requests[0]).toContain(`\r\nHost: [::1]:${host.port}\r\n`);
  });
});
