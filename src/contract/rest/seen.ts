/** How traffic shows whether a client keeps a rule. `openapi/checks.md` explains each key. */
export interface Seen {
  /** The exchanges that can break the rule. Defaults to all. */
  readonly when?: ExchangePattern;
  /** The pattern that these exchanges must match. */
  readonly expect?: ExchangePattern;
  /** Exchanges that count neither for nor against the client if they do not match `expect`. Defaults to none. */
  readonly unless?: ExchangePattern;
  /** An earlier exchange; without one, the rule does not apply. */
  readonly after?: After;
  /** An exchange of any client that must precede those that can break the rule. */
  readonly first?: ExchangePattern;
}

/** An exchange after which a rule applies. */
export interface After {
  /** Defaults to every exchange. */
  readonly match?: ExchangePattern;
  /** A JSON pointer to a list in its response, or `large-integers`, those above 2^53 in it. The rule then applies once for each entry. */
  readonly each?: string;
  /** The tests that an entry must pass, by JSON pointers into it. Defaults to none, so that every entry passes. */
  readonly entry?: Readonly<Record<string, ValueTest>>;
  /** The values to remember: for each name that tests use, the place of the value. */
  readonly remember?: Readonly<Record<string, string>>;
  /** The callers to whose later exchanges the rule applies. Defaults to the same caller. */
  readonly by?: "caller" | "anyone";
  /** An exchange after which the rule no longer applies. */
  readonly until?: ExchangePattern;
  /**
   * Ignores exchanges that begin less than this many milliseconds after its end, unless they use the same connection.
   * Defaults to 0.
   */
  readonly pause?: number;
  /**
   * Whether it is enough that a later exchange matches `expect` for one of several earlier exchanges. Defaults to
   * false.
   */
  readonly any?: true;
}

/** A pattern of exchanges: tests of their parts. */
export interface ExchangePattern {
  /**
   * Values of parameters by their names. `a + b` is the sum of several, `a - b` the variables of a template that are not groups of a
   * pattern.
   */
  readonly parameters?: Readonly<Record<string, ValueTest>>;
  readonly headers?: Readonly<Record<string, ValueTest>>;
  readonly "response-headers"?: Readonly<Record<string, ValueTest>>;
  /** Values in the response by their JSON pointers. */
  readonly answer?: Readonly<Record<string, ValueTest>>;
  /** Values of the earlier exchange by the names of `remember`. */
  readonly earlier?: Readonly<Record<string, ValueTest>>;
  /** Parameters that the request has, whatever their values. */
  readonly sends?: readonly string[];
  /** Parameters that the request lacks. */
  readonly omits?: readonly string[];
  /** Parameters of which the request has exactly one. */
  readonly "sends-one"?: readonly string[];
  readonly operation?: ValueTest;
  readonly caller?: ValueTest;
  readonly method?: ValueTest;
  readonly target?: ValueTest;
  readonly names?: ValueTest;
  readonly numbers?: ValueTest;
  readonly level?: ValueTest;
  readonly bytes?: ValueTest;
  readonly request?: ValueTest;
  readonly "retry-after"?: ValueTest;
  readonly started?: ValueTest;
  readonly status?: ValueTest;
}

/** A test of a value: the value itself, a list of values, or operators that all must hold. */
export type ValueTest = Scalar | readonly Scalar[] | Operators;
export type Scalar = string | number | boolean | null;

/** The operators of a test. A missing value passes only `present: false`, `not`, `at` with such tests, and `equals` a missing value. */
export interface Operators {
  readonly present?: boolean;
  readonly type?: "array" | "boolean" | "integer" | "null" | "object" | "string";
  readonly above?: number | Named;
  readonly below?: number | Named;
  readonly "at-least"?: number | Named;
  readonly "at-most"?: number | Named;
  /** A regular expression that a string matches. */
  readonly matches?: string;
  /** A text that a string contains, with remembered values in braces. */
  readonly contains?: string;
  /** Equals a remembered value. */
  readonly equals?: Named;
  /** Is the SHA-256 digest of a remembered text, in hex digits. */
  readonly "sha256-of"?: Named;
  /** Equals a remembered number after rounding both to doubles. */
  readonly "same-double-as"?: Named;
  /** An entry of a list passes. */
  readonly includes?: ValueTest;
  /** Every entry of a list, or every value of an object, passes. */
  readonly every?: ValueTest;
  /** The values of an object at JSON pointers pass. */
  readonly at?: Readonly<Record<string, ValueTest>>;
  /** The decoded base64 text passes. */
  readonly base64?: ValueTest;
  /** The number of entries of a list passes. */
  readonly count?: ValueTest;
  readonly not?: ValueTest;
}

/** A name from `remember`, or `recently` or `newest-level`. */
export interface Named {
  readonly earlier: string;
}
