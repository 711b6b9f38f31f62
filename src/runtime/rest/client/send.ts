import createFetchClient from "openapi-fetch";
import type { EncodedRequest } from "../../../request/create-encode.js";

/** A request, and how to send it. */
export interface SentRequest extends Omit<EncodedRequest, "headers"> {
  readonly headers: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
  readonly fetch: (request: Request) => Promise<Response>;
}

/** A response. The body of a success is unread; that of an error is JSON, or text if it is none. */
export interface SentResponse {
  readonly response: Response;
  readonly error?: unknown;
}

/** Creates a function that sends encoded requests to an API. It follows no redirect. */
export function createSend(baseUrl: string): (request: SentRequest) => Promise<SentResponse> {
  const { request: send } = createFetchClient<object>({ baseUrl }) as unknown as UntypedClient;
  return ({ method, path, query, headers, body, signal, fetch }) =>
    // Path, query and body are already encoded as the contract requires.
    send(method.toLowerCase(), path, {
      headers: { ...(body?.kind === "content" ? { "Content-Type": body.type } : {}), ...headers },
      parseAs: "stream",
      redirect: "manual",
      querySerializer: () => query,
      ...(body === undefined ? {} : { body: contentOf(body), bodySerializer: (content: unknown) => content }),
      ...(signal === undefined ? {} : { signal }),
      fetch,
    });
}

/** For multipart, `fetch` adds the boundary itself. */
function contentOf(body: NonNullable<EncodedRequest["body"]>): string | Blob | FormData {
  if (body.kind === "content") return body.content;
  const form = new FormData();
  for (const [name, value] of body.parts) form.append(name, value);
  return form;
}

/** The library can only type operations that are known at compile time; clients type the calls instead. */
interface UntypedClient {
  request(method: string, path: string, init: object): Promise<SentResponse>;
}
