import { count, list, object, optional, text, type ValueOf } from "./schema.js";

const item = object({
  name: text,
  /** The operation that it belongs to, if it is a part of one. */
  operation: optional(text),
  /** In how many exchanges it occurred. */
  count,
});

const section = object({
  /** The plural noun for the items, such as `operations`. */
  title: text,
  items: list(item),
});

const refusals = object({
  operation: text,
  count,
  /** The first of them: status, code and message, with secrets masked. */
  first: text,
});

const provoked = object({
  /** The name of the provocation, such as `rate-limit`. */
  name: text,
  count,
  /** How often the client sent the same request next. */
  repeated: count,
  /** How often it sent another request next. */
  wentOn: count,
  /** How often it sent nothing more. */
  stopped: count,
});

export const coverageSchema = object({
  /** The number of exchanges, judged or not. */
  exchanges: count,
  sections: list(section),
  /** Exchanges that were not judged, in whole or in part, by reason. */
  notJudged: list(object({ reason: text, count })),
  /**
   * Refusals that no finding explains, by operation, so that a person can check whether the client intended them.
   * Omitted if there are none.
   */
  refusals: optional(list(refusals)),
  /** The responses that the proxy made or changed, by kind of change. */
  provoked: list(provoked),
});

/** The parts of a contract that occurred in traffic, and those that never did. */
export type Coverage = ValueOf<typeof coverageSchema>;

/** The items of one kind, such as operations. */
export type CoverageSection = ValueOf<typeof section>;

/** Something that traffic can show. */
export type CoverageItem = ValueOf<typeof item>;

/** How clients reacted to one kind of response that the proxy provoked. */
export type Provoked = ValueOf<typeof provoked>;
