import type { ResponseLimit } from "./response-limit.js";

/** How much of a request body has been sent. */
export interface UploadProgress {
  /** Bytes sent so far, including multipart framing. */
  readonly sent: number;
  /** Total number of bytes. */
  readonly total: number;
}

/** Sends a request. */
export type SendRequest = (request: Request) => Promise<Response>;

/**
 * Wraps `fetch` so that it reports upload progress. In the last report, `sent` equals `total`.
 *
 * Browsers send the body through `XMLHttpRequest`, because their `fetch` reports no progress; elsewhere the body is a stream whose
 * chunks are counted. `XMLHttpRequest` follows redirects by itself, so the response then has `redirected`. Rejects if a
 * browser receives more than the limit.
 */
export function fetchWithUploadProgress(
  send: typeof fetch,
  onProgress: (progress: UploadProgress) => void,
  limit: ResponseLimit,
): SendRequest {
  return async (request) => {
    const body = new Uint8Array(await request.arrayBuffer());
    request.signal.throwIfAborted();
    return typeof XMLHttpRequest === "undefined"
      ? send(request.url, streamed(request, body, onProgress))
      : sendByXhr(request, body, onProgress, limit);
  };
}

const chunkSize = 64 * 1024;

function streamed(request: Request, body: Uint8Array, onProgress: (progress: UploadProgress) => void): RequestInit {
  let sent = 0;
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (sent >= body.length) return controller.close();
      const chunk = body.subarray(sent, sent + chunkSize);
      sent += chunk.length;
      controller.enqueue(chunk);
      onProgress({ sent, total: body.length });
    },
  });
  const { method, headers, signal, redirect } = request;
  // `duplex` is required by the fetch standard for a stream; the DOM types do not know it yet.
  return { method, headers, signal, redirect, body: stream, duplex: "half" } as RequestInit;
}

function sendByXhr(
  request: Request,
  body: Uint8Array,
  onProgress: (progress: UploadProgress) => void,
  limit: ResponseLimit,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const xhr = new XMLHttpRequest();
    xhr.open(request.method, request.url);
    xhr.responseType = "text";
    request.headers.forEach((value, name) => {
      xhr.setRequestHeader(name, value);
    });
    xhr.upload.onprogress = ({ loaded, total }) => onProgress({ sent: loaded, total });
    // Browsers may omit the last progress event.
    xhr.upload.onload = ({ total }) => onProgress({ sent: total, total });
    xhr.onprogress = ({ loaded }) => {
      if (loaded <= limit.maxBytes) return;
      reject(limit.createError());
      xhr.abort();
    };
    xhr.onload = () => {
      const headers = new Headers();
      for (const line of xhr.getAllResponseHeaders().trim().split(/\r?\n/)) {
        const [name = "", ...value] = line.split(": ");
        if (name) headers.append(name, value.join(": "));
      }
      // Some statuses, such as 204, allow no body, not even an empty one.
      const response = new Response(xhr.responseText || null, { status: xhr.status, headers });
      const url = xhr.responseURL;
      resolve(Object.defineProperties(response, { url: { value: url }, redirected: { value: url !== request.url } }));
    };
    xhr.onerror = () => reject(new TypeError("Failed to fetch"));
    xhr.onabort = () => reject(request.signal.reason);
    request.signal.addEventListener("abort", () => xhr.abort());
    xhr.send(body as Uint8Array<ArrayBuffer>);
  });
}
