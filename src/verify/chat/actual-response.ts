/** A response as it came from the wire. */
export interface ActualResponse {
  readonly status: number;
  /** The header as sent; undefined when there was none. */
  readonly contentType: string | undefined;
  readonly text: string;
  /** Why it keeps no expectation at all, in a sentence: it redirects, or is too large to be read. */
  readonly fault?: string;
}
