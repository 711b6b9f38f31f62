/** An HTTP request in a form that can be shown. */
export interface HttpRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Text, or the parts of a multipart body. */
  readonly body?: string | readonly HttpPart[];
}

/** A part of a `multipart/form-data` body. The type is that of a text, unless it is plain text. */
export type HttpPart = readonly [name: string, value: string | File, type?: string | undefined];

/** An HTTP response in a form that can be shown. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** A response as received, before it is judged. */
export interface ActualResponse {
  readonly status: number;
  /** The header as sent; undefined if absent. */
  readonly contentType: string | undefined;
  readonly text: string;
  /** Why no check can use the response, as a sentence: it redirects, is too large to read, or cannot be decompressed. */
  readonly fault?: string;
}

/** A response as received, with all its headers. */
export interface ReceivedResponse extends ActualResponse {
  readonly headers: Headers;
  /** The body, decompressed. Omitted if only its text is known. */
  readonly bytes?: Buffer;
}
