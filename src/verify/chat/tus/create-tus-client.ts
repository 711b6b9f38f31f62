import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { parseUrl } from "../../../parse-url.js";
import { userAgent } from "../../../versions.js";
import type { HttpRequest, HttpResponse } from "../exchange/http-message.js";
import { type SendLimits, sendRequest } from "../exchange/send-request.js";
import { basicCredentials } from "../states/callers.js";
import type { CallerCredentials } from "../states/states-client.js";

/** A client for the part of the tus protocol 1.0.0 that an upload needs (https://tus.io/protocols/resumable-upload). */
export interface TusClient {
  /** Creates an upload of this many bytes. `location` is its URL, or undefined if the response has no valid one. */
  readonly create: (length: number) => Promise<TusResponse & { readonly location: URL | undefined }>;
  /** Asks how many bytes have arrived. */
  readonly head: (location: URL) => Promise<TusResponse>;
  /** Sends bytes from an offset. */
  readonly patch: (location: URL, offset: number, bytes: string) => Promise<TusResponse>;
  /** Announces bytes, sends only the first `sent` of them and cuts the connection. */
  readonly cutPatch: (location: URL, offset: number, bytes: string, sent: number) => Promise<void>;
  /** The URL that creates uploads. */
  readonly endpoint: URL;
}

/** The parts of a response that are checked. */
export interface TusResponse {
  readonly status: number;
  /** The header `Upload-Offset`. Undefined if it is missing or not a number. */
  readonly offset: number | undefined;
  readonly headers: Headers;
  /** Why the response fits no expectation, for example because it redirects. */
  readonly fault?: string;
}

/** Options of a client. */
export interface TusClientOptions {
  readonly endpoint: string;
  readonly credentials: Pick<CallerCredentials, "email" | "api_key">;
  readonly limits: SendLimits;
  /** Called with every request that got a response. */
  readonly onExchange: (request: HttpRequest, response: HttpResponse) => Promise<void>;
}

/** Creates a client. Its calls reject with a `NoAnswerError` if there is no response, and with the signal's reason once that aborts. */
export function createTusClient({ endpoint, credentials, limits, onExchange }: TusClientOptions): TusClient {
  const { email, api_key: key } = credentials;
  const common = {
    Authorization: basicCredentials(email, key),
    "Tus-Resumable": "1.0.0",
    "User-Agent": userAgent("chat"),
  };

  async function send(method: string, url: URL, headers: Record<string, string>, body?: string): Promise<TusResponse> {
    const request = {
      method,
      url: url.href,
      headers: { ...common, ...headers },
      ...(body === undefined ? {} : { body }),
    };
    const { status, headers: received, text, fault } = await sendRequest(request, limits);
    await onExchange(request, { status, headers: Object.fromEntries(received), text });
    const offset = received.get("Upload-Offset") ?? "";
    return {
      status,
      headers: received,
      offset: /^\d{1,15}$/.test(offset) ? Number(offset) : undefined,
      ...(fault === undefined ? {} : { fault }),
    };
  }

  const partHeaders = (offset: number) => ({
    "Content-Type": "application/offset+octet-stream",
    "Upload-Offset": String(offset),
  });

  return {
    endpoint: new URL(endpoint),
    create: async (length) => {
      const response = await send("POST", new URL(endpoint), { "Upload-Length": String(length) });
      const location = response.headers.get("Location");
      const isUrl = location !== null && parseUrl(location, endpoint) !== undefined;
      return { ...response, location: isUrl ? new URL(location, endpoint) : undefined };
    },
    head: (location) => send("HEAD", location, {}),
    patch: (location, offset, bytes) => send("PATCH", location, partHeaders(offset), bytes),
    cutPatch: async (location, offset, bytes, sent) => {
      const headers = { ...common, ...partHeaders(offset), "Content-Length": Buffer.byteLength(bytes) };
      const request = location.protocol === "https:" ? requestHttps : requestHttp;
      const signal = AbortSignal.any([limits.signal, AbortSignal.timeout(limits.timeoutMs)]);
      const outgoing = request(location, { method: "PATCH", headers, agent: false, signal });
      // Either side may report the cut, which is intended.
      outgoing.on("error", () => {});
      const closed = new Promise<void>((resolve) => outgoing.once("close", resolve));
      outgoing.write(bytes.slice(0, sent), () => outgoing.destroy());
      await closed;
    },
  };
}
