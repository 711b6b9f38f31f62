import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { parseUrl } from "../../../parse-url.js";
import type { HttpRequest, HttpResponse } from "../exchange/http-message.js";
import { type SendLimits, sendRequest } from "../exchange/send-request.js";
import { basicCredentials } from "../states/callers.js";
import type { CallerCredentials } from "../states/states-client.js";

/** A client of the tus protocol 1.0.0, as far as an upload takes it (https://tus.io/protocols/resumable-upload). */
export interface TusClient {
  /** Creates an upload of so many bytes. `location` is where it is; undefined when the response names none. */
  readonly create: (length: number) => Promise<TusResponse & { readonly location: URL | undefined }>;
  /** Asks how much has arrived. */
  readonly head: (location: URL) => Promise<TusResponse>;
  /** Sends the bytes from an offset on. */
  readonly patch: (location: URL, offset: number, bytes: string) => Promise<TusResponse>;
  /** Announces bytes, sends only some of them and cuts the connection. */
  readonly cutPatch: (location: URL, offset: number, bytes: string, sent: number) => Promise<void>;
  /** Where uploads are created. */
  readonly endpoint: URL;
}

/** A response, as far as it is read. */
export interface TusResponse {
  readonly status: number;
  /** The header `Upload-Offset` as a number; undefined when it is missing or none. */
  readonly offset: number | undefined;
  readonly headers: Headers;
  /** Why it keeps no expectation, such as that it redirects. */
  readonly fault?: string;
}

/** How a client works. */
export interface TusClientOptions {
  readonly endpoint: string;
  readonly credentials: Pick<CallerCredentials, "email" | "api_key">;
  readonly limits: SendLimits;
  /** Is told of every call that has an answer. */
  readonly onExchange: (request: HttpRequest, response: HttpResponse) => Promise<void>;
}

/** Creates a client. Its calls reject with a `NoAnswerError` when there is no answer, and with the reason of the signal. */
export function createTusClient({ endpoint, credentials, limits, onExchange }: TusClientOptions): TusClient {
  const { email, api_key: key } = credentials;
  const common = {
    Authorization: basicCredentials(email, key),
    "Tus-Resumable": "1.0.0",
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
      // That it is cut is what is wanted, by whichever side.
      outgoing.on("error", () => {});
      const closed = new Promise<void>((resolve) => outgoing.once("close", resolve));
      outgoing.write(bytes.slice(0, sent), () => outgoing.destroy());
      await closed;
    },
  };
}
