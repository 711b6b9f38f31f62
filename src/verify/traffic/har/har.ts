// The parts of HTTP Archive 1.2 that recordings of traffic need. Source: http://www.softwareishard.com/blog/har-12-spec/

/** The largest file that is written and read. Even if it holds only the smallest exchanges, checking it takes less than 1 GB of memory. */
export const maxHarBytes = 64 * 1024 * 1024;

/** A header or a parameter. */
export interface HarPair {
  readonly name: string;
  readonly value: string;
}

/** A request and its response. */
export interface HarEntry {
  /** ISO 8601. */
  readonly startedDateTime: string;
  /** In milliseconds. */
  readonly time: number;
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly httpVersion: string;
    readonly cookies: readonly HarPair[];
    readonly headers: readonly HarPair[];
    readonly queryString: readonly HarPair[];
    readonly postData?: HarPostData;
    readonly headersSize: number;
    readonly bodySize: number;
  };
  readonly response: {
    /** 0 without a response. */
    readonly status: number;
    readonly statusText: string;
    readonly httpVersion: string;
    readonly cookies: readonly HarPair[];
    readonly headers: readonly HarPair[];
    readonly content: HarContent;
    readonly redirectURL: string;
    readonly headersSize: number;
    readonly bodySize: number;
  };
  readonly cache: object;
  readonly timings: { readonly send: number; readonly wait: number; readonly receive: number };
  readonly comment?: string;
}

/** The body of a request. */
export interface HarPostData {
  readonly mimeType: string;
  readonly text?: string;
  /** `base64` if the text is; an extension of several tools. */
  readonly encoding?: string;
}

/** The body of a response, decompressed. */
export interface HarContent {
  readonly size: number;
  readonly mimeType: string;
  readonly text?: string;
  readonly encoding?: string;
}
