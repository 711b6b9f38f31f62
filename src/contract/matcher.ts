/**
 * What a value must be: the value itself; a list, whose first entries must match these; or operators, which must all hold. A text that
 * begins with `$` is the value of an earlier step, such as `$sent.message_id`; what follows `$$` is the text itself.
 */
export type Matcher = Scalar | readonly Matcher[] | Operators;
export type Scalar = string | number | boolean | null;

/** The operators of a matcher. A missing value passes only `present: false`, `if-present`, `not`, and `at` and `any` with such matchers. */
export interface Operators {
  readonly present?: boolean;
  /** What the value must be if it is there. If it is missing or empty, the matcher shows nothing. */
  readonly "if-present"?: Matcher;
  readonly type?: "array" | "boolean" | "integer" | "null" | "object" | "string";
  readonly above?: number | string;
  readonly below?: number | string;
  readonly "at-least"?: number | string;
  readonly "at-most"?: number | string;
  /** A regular expression that a text matches. */
  readonly matches?: string;
  /** A text that a text contains. */
  readonly contains?: string;
  /** A text, in whatever encoding, shows none of these texts. */
  readonly hides?: readonly string[];
  /** Deeply equals this value, to the last member. */
  readonly equals?: unknown;
  /** One of these matches. */
  readonly any?: readonly Matcher[];
  /** All of these match. */
  readonly all?: readonly Matcher[];
  /** A list has exactly these entries, each of which matches. */
  readonly entries?: readonly Matcher[];
  /** An entry of a list matches. */
  readonly includes?: Matcher;
  /** Every entry of a list, or every value of an object, matches. */
  readonly every?: Matcher;
  /** The list of the names of an object matches. */
  readonly names?: Matcher;
  /** The values at these JSON pointers match. In a pointer, `*` stands for every entry, and the value is the list of what it leads to. */
  readonly at?: Readonly<Record<string, Matcher>>;
  /** The number of entries of a list matches. */
  readonly count?: Matcher;
  readonly not?: Matcher;
  /** The text that is decoded from base64 matches. */
  readonly base64?: Matcher;
  /** The value is the SHA-256 digest of this text, in hex digits. */
  readonly "sha256-of"?: string;
  /** The text is a number that equals this one after both are rounded to doubles. */
  readonly "same-double-as"?: string;
}
