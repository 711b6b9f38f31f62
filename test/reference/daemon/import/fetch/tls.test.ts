import { type AddressInfo, createServer } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { systemNetwork } from "../../../../../reference/daemon/import/fetch/resolve-host.js";
import { answerOf, certificate, startHost } from "./start-host.js";
import { messageOf, networkTo, publicAddress, secret } from "./try-fetch.js";

const insecure = "No secure connection to the host can be made";

it.each([
  "https://sub.northwind.example",
  "https://SUB.northwind.example.",
  "https://panel.tailspin.example:8443",
  `https://${publicAddress}`,
])("connects to %s with a trusted certificate", async (url) => {
  const host = await startHost(answerOf(200), { tls: true });
  expect(await messageOf(`${url}/s`, { network: networkTo(host.port), allowPrivate: false })).toBe("fetched");
  expect(host.requests[0]).toContain(`\r\nHost: ${new URL(url).host}\r\n`);
});

it("connects to an address of this machine over TLS", async () => {
  const host = await startHost(answerOf(200), { tls: true });
  const network = { ...systemNetwork, ca: certificate };
  expect(await messageOf(`https://127.0.0.1:${host.port}/s`, { network })).toBe("fetched");
  expect(await messageOf(`https://localhost:${host.port}/s`, { network })).toBe("fetched");
});

it.each(["https://fabrikam.example", "https://x.sub.northwind.example", "https://93.184.216.35"])(
  "sends nothing to %s, which the certificate lacks",
  async (url) => {
    const host = await startHost(answerOf(200), { tls: true });
    expect(await messageOf(`${url}/${secret}`, { network: networkTo(host.port) })).toBe(`${insecure} (${url})`);
    expect(host.requests).toEqual([]);
  },
);

it("sends nothing if the certificate is untrusted, even with NODE_TLS_REJECT_UNAUTHORIZED=0", async () => {
  const host = await startHost(answerOf(200), { tls: true });
  const { resolve, connectTo } = networkTo(host.port);
  const before = process.env.NODE_TLS_REJECT_UNAUTHORIZED;
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0";
  try {
    const message = await messageOf(`https://sub.northwind.example/${secret}`, { network: { resolve, connectTo } });
    expect(message).toBe(`${insecure} (https://sub.northwind.example)`);
  } finally {
    if (before === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    else process.env.NODE_TLS_REJECT_UNAUTHORIZED = before;
  }
  expect(host.requests).toEqual([]);
});

it.each([
  ["answers in plain text", "HTTP/1.1 400 Bad Request\r\n\r\n", insecure],
  ["hangs up", "", "The connection ended before the answer did"],
  ["breaks off the handshake", Buffer.from([0x15, 3, 3, 0, 2, 2, 40]), insecure],
])("reports a server that %s", async (_, bytes, message) => {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => socket.end(bytes));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const network = networkTo((server.address() as AddressInfo).port);
  const url = "https://sub.northwind.example";
  expect(await messageOf(`${url}/${secret}`, { network })).toBe(`${message} (${url})`);
});

it("reports a TLS server behind an http URL", async () => {
  const host = await startHost(answerOf(200), { tls: true });
  expect(await messageOf(`http://sub.northwind.example/${secret}`, { network: networkTo(host.port) })).toMatch(
    /^The (host did not answer in HTTP|connection ended before the answer did) \(/,
  );
});
