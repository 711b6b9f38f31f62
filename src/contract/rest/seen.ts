import type { Matcher } from "../matcher.js";

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
  /** What must be in an entry, by JSON pointers into it. Defaults to nothing, so that every entry matches. */
  readonly entry?: Readonly<Record<string, Matcher>>;
  /** The values to remember: for each name that matchers use, such as `$topic`, the place of the value. */
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

/** A pattern of exchanges: matchers of their parts. */
export interface ExchangePattern {
  /**
   * Values of parameters by their names. `a + b` is the sum of several, `a - b` the variables of a template that are not groups of a
   * pattern.
   */
  readonly parameters?: Readonly<Record<string, Matcher>>;
  readonly headers?: Readonly<Record<string, Matcher>>;
  readonly "response-headers"?: Readonly<Record<string, Matcher>>;
  /** Values in the response by their JSON pointers. */
  readonly answer?: Readonly<Record<string, Matcher>>;
  /** Values of the earlier exchange by the names of `remember`. */
  readonly earlier?: Readonly<Record<string, Matcher>>;
  /** Parameters that the request has, whatever their values. */
  readonly sends?: readonly string[];
  /** Parameters that the request lacks. */
  readonly omits?: readonly string[];
  /** Parameters of which the request has exactly one. */
  readonly "sends-one"?: readonly string[];
  readonly operation?: Matcher;
  readonly caller?: Matcher;
  readonly method?: Matcher;
  readonly target?: Matcher;
  readonly names?: Matcher;
  readonly numbers?: Matcher;
  readonly level?: Matcher;
  readonly bytes?: Matcher;
  readonly request?: Matcher;
  readonly "retry-after"?: Matcher;
  readonly started?: Matcher;
  readonly status?: Matcher;
}
