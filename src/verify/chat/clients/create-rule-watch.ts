import type { After, Seen } from "../../../contract/chat/client-rules.js";
import { valueAt } from "../../../contract/json-pointer.js";
import { createEpisodes, type Episode } from "./episodes.js";
import type { ExchangeView } from "./exchange-view.js";
import { compilePattern, type Part, type Pattern } from "./pattern.js";
import { findPlace } from "./place.js";
import { compileTest, type Remembered } from "./value-test.js";

/** What an exchange breaks: a part of the pattern that it had to match, or the lack of an earlier exchange. */
export type Breach =
  | { readonly kind: "mismatch"; readonly part: Part; readonly remembered: Remembered }
  | { readonly kind: "not-first" };

/** Watches whether exchanges keep one rule. */
export interface RuleWatch {
  /** Judges the next exchange, and then remembers what the rule needs of it. Undefined if it could not break the rule. */
  observe(view: ExchangeView, known: Remembered): Breach | "kept" | undefined;
}

/** Judges one exchange. */
type Judge = (view: ExchangeView, known: Remembered) => Breach | "kept" | undefined;

/** Creates the watch of a rule. Throws if the rule names an unknown place. */
export function createRuleWatch(seen: Seen): RuleWatch {
  const when = compilePattern(seen.when);
  const judge =
    seen.first !== undefined
      ? afterFirst(seen, when)
      : seen.after !== undefined
        ? afterEach(seen, seen.after, when)
        : alone(seen, when);
  return { observe: judge };
}

function concerns({ operations }: Pattern, { exchange: { operation } }: ExchangeView): boolean {
  return operations === undefined || (operation !== undefined && operations.has(operation));
}

/** For rules that each exchange shows by itself. */
function alone(seen: Seen, when: Pattern): Judge {
  const then = compilePattern(seen.then);
  return (view, known) => {
    if (!concerns(when, view) || when.mismatch(view, known) !== undefined) return undefined;
    const part = then.mismatch(view, known);
    return part === undefined ? "kept" : { kind: "mismatch", part, remembered: known };
  };
}

/** For rules about what must precede an exchange. */
function afterFirst(seen: Seen, when: Pattern): Judge {
  const first = compilePattern(seen.first);
  let firstEndedAt = Number.POSITIVE_INFINITY;
  return (view, known) => {
    const { startedAt, endedAt } = view.exchange.recorded;
    const isLater = firstEndedAt <= startedAt;
    if (first.mismatch(view, known) === undefined) firstEndedAt = Math.min(firstEndedAt, endedAt);
    if (when.mismatch(view, known) !== undefined) return undefined;
    return isLater ? "kept" : { kind: "not-first" };
  };
}

/** For rules about what follows an exchange. Exchanges that overlap do not follow each other. */
function afterEach(seen: Seen, after: After, when: Pattern): Judge {
  const then = compilePattern(seen.then);
  const { by = "caller", any = false } = after;
  const episodes = createEpisodes(by);
  const remember = createMemory(after);
  const until = after.until === undefined ? undefined : compilePattern(after.until);

  function judge(view: ExchangeView, known: Remembered): Breach | "kept" | undefined {
    const { caller, recorded } = view.exchange;
    let kept = false;
    let breach: Breach | undefined;
    for (const { endedAt, remembered } of episodes.of(caller)) {
      const values = { ...remembered, ...known };
      if (endedAt > recorded.startedAt || when.mismatch(view, values) !== undefined) continue;
      const part = then.mismatch(view, values);
      if (part === undefined) kept = true;
      else breach ??= { kind: "mismatch", part, remembered: values };
    }
    return breach === undefined || (any && kept) ? (kept ? "kept" : undefined) : breach;
  }

  return (view, known) => {
    const { caller } = view.exchange;
    // Without credentials, two requests may come from different clients.
    if (by === "caller" && caller === undefined) return undefined;
    const verdict = concerns(when, view) ? judge(view, known) : undefined;
    if (until !== undefined && concerns(until, view)) {
      for (const episode of [...episodes.of(caller)]) {
        if (until.mismatch(view, { ...episode.remembered, ...known }) === undefined) episodes.remove(episode);
      }
    }
    for (const remembered of remember(view, known)) {
      episodes.add({ caller, endedAt: view.exchange.recorded.endedAt, remembered } satisfies Episode);
    }
    return verdict;
  };
}

/** Creates a function that returns what a rule remembers of an exchange, for each entry of the list that it names. */
function createMemory({
  match,
  each,
  entry = {},
  remember = {},
}: After): (view: ExchangeView, known: Remembered) => Remembered[] {
  const pattern = compilePattern(match);
  const places = Object.entries(remember).map(([name, place]) => ({ name, read: findPlace(place) }));
  const entryTests = Object.entries(entry).map(([pointer, test]) => ({ pointer, passes: compileTest(test) }));
  return (view, known) => {
    if (!concerns(pattern, view) || pattern.mismatch(view, known) !== undefined) return [];
    return entriesOf(view, each)
      .filter((one) => entryTests.every(({ pointer, passes }) => passes(valueAt(one, pointer), known)))
      .map((one) => Object.fromEntries(places.map(({ name, read }) => [name, read(view, one)])));
  };
}

function entriesOf(view: ExchangeView, each: string | undefined): readonly unknown[] {
  if (each === undefined) return [undefined];
  if (each === "large-integers") return view.largeIntegers();
  const list = valueAt(view.exchange.answer, each);
  return Array.isArray(list) ? list : [];
}
