import { describe, expect, it } from "vitest";
import { answerOf, startHost } from "./start-host.js";
import { messageOf, networkTo, publicAddress, secret, tryFetch } from "./try-fetch.js";

/** Starts a host that redirects by path: a status and a target for each, otherwise 200. */
async function redirecting(paths: Readonly<Record<string, readonly [status: number, location: string]>>) {
  const host = await startHost((socket, head) => {
    const [, path = ""] = /^GET (\S+)/.exec(head) ?? [];
    const [status, location] = paths[path] ?? [];
    socket.end(status === undefined ? answerOf(200, {}, "body") : answerOf(status, { Location: location ?? "" }, head));
  });
  return { ...host, url: `http://127.0.0.1:${host.port}` };
}

const linesOf = (requests: readonly string[]) => requests.map((head) => head.slice(0, head.indexOf("\r\n")));

describe("a redirect", () => {
  it.each([301, 302, 303, 307, 308])("is followed for status %s", async (status) => {
    const host = await redirecting({ "/s": [status, "/v2/s?x#y"] });
    const { fetched } = await tryFetch(`${host.url}/s`);
    expect(fetched?.body.toString()).toBe("body");
    expect(fetched?.redirects.map((url) => url.reveal().href)).toEqual([`${host.url}/v2/s?x#y`]);
    expect(linesOf(host.requests)).toEqual(["GET /s HTTP/1.1", "GET /v2/s?x HTTP/1.1"]);
  });

  it.each([
    ["v2", "/a/v2"],
    ["../v2", "/v2"],
    ["?x=1", "/a/b?x=1"],
    ["//127.0.0.1:PORT/v2", "/v2"],
    ["http://127.0.0.1:PORT/v2", "/v2"],
    ["HTTP:\\\\127.0.0.1:PORT\\v2", "/v2"],
    ["/Über", "/%C3%9Cber"],
  ])("with the location %s leads to %s", async (location, want) => {
    const host = await startHost((socket, _, count) => {
      const to = location.replace("PORT", String(host.port));
      socket.end(count === 1 ? answerOf(302, { Location: to }) : answerOf(200));
    });
    expect(await messageOf(`http://127.0.0.1:${host.port}/a/b?z`)).toBe("fetched");
    expect(linesOf(host.requests)[1]).toBe(`GET ${want} HTTP/1.1`);
  });

  it("is followed at most five times", async () => {
    const chain = (length: number) =>
      Object.fromEntries(Array.from({ length }, (_, at) => [`/${at}`, [302, `/${at + 1}`] as const]));
    expect(await messageOf(`${(await redirecting(chain(5))).url}/0`)).toBe("fetched");
    const host = await redirecting(chain(6));
    expect(await messageOf(`${host.url}/0`)).toBe(`The host redirects too often (${host.url})`);
    expect(host.requests.length).toBe(6);
  });

  it("is rejected in a loop", async () => {
    const host = await redirecting({ "/a": [302, "/b"], "/b": [302, "/a"], "/c": [302, ""] });
    expect(await messageOf(`${host.url}/a`)).toBe(`The host redirects too often (${host.url})`);
    expect(await messageOf(`${host.url}/c`)).toBe(`The host redirects too often (${host.url})`);
  });

  it.each([
    [`http://[broken/subscribe?token=${secret}`, "The host redirects to something that is not a URL"],
    [`http://h:${secret}/`, "The host redirects to something that is not a URL"],
    [`https://${secret}`.replace("d", "%00"), "The host redirects to something that is not a URL"],
    [`ftp://${secret}@h.example/`, "The host redirects to something that is neither an http nor an https URL"],
    ["file:///etc/passwd", "The host redirects to something that is neither an http nor an https URL"],
    [`data:text/plain,${secret}`, "The host redirects to something that is neither an http nor an https URL"],
    [`javascript:${secret}`, "The host redirects to something that is neither an http nor an https URL"],
    [
      `clash://install-config?url=${secret}`,
      "The host redirects to something that is neither an http nor an https URL",
    ],
  ])("is rejected if its target is %s", async (location, message) => {
    const host = await redirecting({ [`/s/${secret}`]: [302, location] });
    expect(await tryFetch(`${host.url}/s/${secret}`)).toEqual({
      code: "Unavailable",
      message: `${message} (${host.url})`,
    });
  });

  it("names the first host in the error if its target fails", async () => {
    const network = networkTo(
      (
        await startHost((socket, head) =>
          socket.end(
            head.includes("Host: sub.")
              ? answerOf(302, { Location: `http://user:${secret}@panel.tailspin.example:81/${secret}` })
              : answerOf(500, {}, head),
          ),
        )
      ).port,
    );
    const message = "The host answered HTTP 500 (http://sub.northwind.example)";
    expect(await messageOf(`http://sub.northwind.example/${secret}`, { network })).toBe(message);
  });

  it("is followed without waiting for its body", async () => {
    const host = await startHost((socket, _, count) => {
      if (count === 1) socket.write("HTTP/1.1 302 Found\r\nLocation: /v2\r\nContent-Length: 9\r\n\r\nbo");
      else socket.end(answerOf(200));
    });
    expect(await messageOf(`http://127.0.0.1:${host.port}/`)).toBe("fetched");
    await expect.poll(host.open).toBe(0);
  });
});

describe("user name and password", () => {
  it.each([
    ["stay with the same origin", "http://sub.northwind.example/v2", "grace:pw"],
    ["stay with a relative target", "v2", "grace:pw"],
    ["are not sent to another host", "http://panel.tailspin.example/v2", undefined],
    ["are not sent to a subdomain", "http://x.sub.northwind.example/v2", undefined],
    ["are not sent to another port", "http://sub.northwind.example:81/v2", undefined],
    ["are not sent with another scheme", "https://sub.northwind.example/v2", undefined],
    ["are not sent to the name with a trailing dot", "http://sub.northwind.example./v2", undefined],
    ["are replaced with those of the target", "http://ada:new@panel.tailspin.example/v2", "ada:new"],
    ["are replaced with those of the target at the same origin", "http://ada@sub.northwind.example/v2", "ada:"],
  ])("%s", async (_, location, want) => {
    const answer = Buffer.concat([answerOf(302, { Location: location })]);
    const first = await startHost((socket, __, count) => socket.end(count === 1 ? answer : answerOf(200)));
    const secure = await startHost(answerOf(200), { tls: true });
    const network = networkTo(first.port, {
      connectTo: ({ port }) => ({ addresses: ["127.0.0.1"], port: port === 443 ? secure.port : first.port }),
    });
    expect(await messageOf("http://grace:pw@sub.northwind.example/s", { network })).toBe("fetched");
    const [, last = ""] = [...first.requests, ...secure.requests];
    const [, sent] = /^Authorization: Basic (.*)$/m.exec(last) ?? [];
    expect(sent === undefined ? undefined : Buffer.from(sent.trim(), "base64").toString()).toBe(want);
  });

  it("are not sent again if a redirect returns to the first host", async () => {
    const host = await startHost((socket, head, count) => {
      const to = head.includes("Host: sub.") ? "http://panel.tailspin.example/" : "http://sub.northwind.example/";
      socket.end(count > 2 ? answerOf(200) : answerOf(302, { Location: to }));
    });
    const network = networkTo(host.port);
    expect(await messageOf("http://grace:pw@sub.northwind.example/s", { network })).toBe("fetched");
    expect(host.requests.map((head) => head.includes("Authorization"))).toEqual([true, false, false]);
  });
});

describe("a redirect to a non-public address", () => {
  const message = "The host redirects to an address that is not public (http://sub.northwind.example)";
  it.each([
    "http://127.0.0.1:PORT/",
    "http://localhost:PORT/",
    "http://0x7f.1:PORT/",
    "http://2130706433:PORT/",
    "http://[::1]:PORT/",
    "http://[::ffff:127.0.0.1]:PORT/",
    "http://169.254.169.254/latest/meta-data/",
    "http://intranet.example:PORT/",
    "//127.0.0.1:PORT/",
  ])("is rejected: %s", async (location) => {
    const inside = await startHost(answerOf(200));
    const outside = await startHost(answerOf(302, { Location: location.replace("PORT", String(inside.port)) }));
    const resolve = async (hostname: string) => {
      if (hostname === "localhost") return ["::1", "127.0.0.1"];
      return hostname === "intranet.example" ? ["10.0.0.7", "127.0.0.1"] : [publicAddress];
    };
    // Redirects only connections to the public address; one to any other address would succeed.
    const network = networkTo(outside.port, {
      resolve,
      connectTo: (target) =>
        target.addresses.includes(publicAddress) ? { addresses: ["127.0.0.1"], port: outside.port } : target,
    });
    const outcome = await tryFetch(`http://sub.northwind.example/${secret}`, { network, allowPrivate: false });
    expect(outcome).toEqual({ code: "Unavailable", message });
    expect(inside.connections()).toBe(0);
    expect(outside.connections()).toBe(1);
  });
});
