import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import { onTestFinished } from "vitest";
import { listen } from "../../../src/base/listen.js";
import { listenOn } from "../../../src/server/listen-on.js";
import { createForwarder } from "../../../src/traffic/forward/create-forwarder.js";
import type { ChangeAnswer } from "../../../src/traffic/forward/passage.js";
import type { ForwarderLimits } from "../../../src/traffic/forward/server-side.js";
import { createProxyServer } from "../../../src/traffic/proxy/start-proxy.js";
import type { RecordedExchange } from "../../../src/traffic/recorded/recorded-exchange.js";
import { exchangeBytes } from "../../support/raw-http.js";

export const formatError = (msg: string) => ({
  type: "application/json",
  text: JSON.stringify({ result: "error", msg }),
});

/** Starts a proxy in front of a server for the rest of the test. */
export async function startProxy(origin: string, limits: Partial<ForwarderLimits> = {}, change?: ChangeAnswer) {
  const exchanges: RecordedExchange[] = [];
  const forwarder = createForwarder({
    ...{ origin, limits },
    refuse: (msg, status) => {
      const { type, text } = formatError(msg);
      return { status, headers: { "Content-Type": type }, text };
    },
    onExchange: (one) => exchanges.push(one),
    ...(change === undefined ? {} : { intercept: () => ({ change, provoked: () => [] }) }),
  });
  const proxy = await listenOn({}, () => createProxyServer(forwarder.handle, formatError));
  onTestFinished(async () => {
    forwarder.close();
    await proxy.close();
  });
  return { url: proxy.addresses[0] ?? "", exchanges };
}

export async function startServer(listener: RequestListener) {
  const server = createServer(listener);
  const { url, close } = await listen(server);
  onTestFinished(close);
  return { url, server };
}

export async function behindProxy(listener: RequestListener, limits?: Partial<ForwarderLimits>) {
  const { url, server } = await startServer(listener);
  return { ...(await startProxy(url, limits)), server, serverUrl: url };
}

export async function bodyOf(message: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of message) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

export function raw(url: string, ...lines: readonly string[]): Promise<string> {
  return exchangeBytes(url, Buffer.from(`${lines.join("\r\n")}`), false).then(String);
}
