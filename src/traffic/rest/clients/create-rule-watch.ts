import { compilePointer } from "../../../contract/pointer-reader.js";
import type { After, Seen } from "../../../contract/rest/seen.js";
import { compileMatcher } from "../../../judge/compile-matcher.js";
import type { ExchangeView } from "./exchange-view.js";
import { compilePattern, findPlace, type PatternPart, type Remembered } from "./pattern.js";

/** The breach of a rule: the part of the pattern that an exchange does not match, or the lack of an earlier exchange. */
export type ClientBreach =
  | { readonly kind: "mismatch"; readonly part: PatternPart; readonly remembered: Remembered }
  | { readonly kind: "not-first" };

/**
 * Judges the next exchange, then remembers the parts of it that the rule needs. Undefined if the exchange could not
 * break the rule.
 */
export type RuleWatch = (view: ExchangeView, known: Remembered) => ClientBreach | "kept" | undefined;

/** Creates the watch of one rule. Throws if the rule names an unknown place or has a malformed matcher. */
export function createRuleWatch(seen: Seen): RuleWatch {
  if (seen.first !== undefined) return watchFirst(seen);
  return seen.after === undefined ? createJudgement(seen) : watchAfter(seen, seen.after);
}

/** Creates the watch of a rule that an exchange shows by itself, or together with an earlier one. */
function createJudgement(seen: Seen): RuleWatch {
  const when = compilePattern(seen.when);
  const expected = compilePattern(seen.expect);
  const unless = seen.unless === undefined ? undefined : compilePattern(seen.unless);
  const readsForm = when.readsForm || expected.readsForm;
  return (view, remembered) => {
    if (readsForm && !view.isRead) return undefined;
    if (!when.matches(view, remembered)) return undefined;
    const part = expected.mismatch(view, remembered);
    if (part === undefined) return "kept";
    return unless?.matches(view, remembered) === true ? undefined : { kind: "mismatch", part, remembered };
  };
}

/** Creates the watch of a rule about what must precede an exchange. */
function watchFirst(seen: Seen): RuleWatch {
  const when = compilePattern(seen.when);
  const first = compilePattern(seen.first);
  let firstEndedAt = Number.POSITIVE_INFINITY;
  return (view, known) => {
    const { startedAt, endedAt } = view.exchange.recorded;
    const isLater = firstEndedAt <= startedAt;
    if (first.matches(view, known)) firstEndedAt = Math.min(firstEndedAt, endedAt);
    if (!when.matches(view, known)) return undefined;
    return isLater ? "kept" : { kind: "not-first" };
  };
}

/** Creates the watch of a rule about what follows an exchange. Exchanges that overlap do not follow each other. */
function watchAfter(seen: Seen, after: After): RuleWatch {
  const { by = "caller", any = false, pause = 0 } = after;
  const judgement = createJudgement(seen);
  const when = compilePattern(seen.when);
  const expected = compilePattern(seen.expect);
  const episodes = createEpisodes(by);
  const remember = createMemory(after);
  const until = after.until === undefined ? undefined : compilePattern(after.until);

  function judge(view: ExchangeView, known: Remembered): ClientBreach | "kept" | undefined {
    const { caller, recorded } = view.exchange;
    if (!when.concerns(view)) return undefined;
    let kept = false;
    let breach: ClientBreach | undefined;
    for (const { endedAt, connection, remembered } of episodes.of(caller)) {
      if (endedAt > recorded.startedAt) continue;
      // The client may have sent this request before it read the earlier response.
      const isSure = connection !== undefined && connection === recorded.connection;
      if (!isSure && recorded.startedAt - endedAt < pause) continue;
      const verdict = judgement(view, { ...remembered, ...known });
      if (verdict === "kept") kept = true;
      else breach ??= verdict;
    }
    if (breach !== undefined && !(any && isExcused(view, known))) return breach;
    return kept ? "kept" : undefined;
  }

  /** Whether the exchange matches `expect` for any of the earlier ones. */
  function isExcused(view: ExchangeView, known: Remembered): boolean {
    const { caller, recorded } = view.exchange;
    return [...episodes.of(caller)].some(
      ({ endedAt, remembered }) => endedAt <= recorded.startedAt && expected.matches(view, { ...remembered, ...known }),
    );
  }

  return (view, known) => {
    const { caller, recorded } = view.exchange;
    // Without credentials, two requests may come from different clients.
    if (by === "caller" && caller === undefined) return undefined;
    const verdict = judge(view, known);
    if (until?.concerns(view) === true) {
      for (const episode of [...episodes.of(caller)]) {
        if (until.matches(view, { ...episode.remembered, ...known })) episodes.remove(episode);
      }
    }
    for (const remembered of remember(view, known))
      episodes.add({ caller, endedAt: recorded.endedAt, connection: recorded.connection, remembered });
    return verdict;
  };
}

/** Creates a function that returns what a rule remembers of an exchange, for each entry of the list that it names. */
function createMemory({ match, each, entry = {}, remember = {} }: After) {
  const pattern = compilePattern(match);
  const entriesOf = createLister(each);
  const places = Object.entries(remember).map(([name, place]) => ({ name, read: findPlace(place) }));
  const ofEntry = compileMatcher({ at: entry });
  return (view: ExchangeView, known: Remembered): Remembered[] => {
    if (!pattern.matches(view, known)) return [];
    return entriesOf(view)
      .slice(-maxEpisodes)
      .filter((one) => ofEntry(one, ([name = ""]) => known[name]) === undefined)
      .map((one) => Object.fromEntries(places.map(({ name, read }) => [name, read(view, one)])));
  };
}

function createLister(each: string | undefined): (view: ExchangeView) => readonly unknown[] {
  if (each === undefined) return () => [undefined];
  if (each === "large-integers") return (view) => view.largeIntegers();
  const read = compilePointer(each);
  return (view) => {
    const list = read(view.exchange.answer);
    return Array.isArray(list) ? list : [];
  };
}

/** An exchange that a rule remembers. */
export interface Episode {
  readonly caller: string | undefined;
  /** When its response was complete, in milliseconds since 1970. */
  readonly endedAt: number;
  /** The connection of the client, if it is known. */
  readonly connection?: number;
  readonly remembered: Readonly<Record<string, unknown>>;
}

/** The earlier exchanges that a rule remembers, bounded in number and size. The oldest are forgotten first. */
export interface Episodes {
  /** Adds an exchange. One with the same caller and values stays as it is. */
  add(episode: Episode): void;
  /** The episodes of a caller, or of everyone if the rule is about all callers. */
  of(caller: string | undefined): Iterable<Episode>;
  remove(episode: Episode): void;
}

/** How many exchanges a rule remembers. */
export const maxEpisodes = 1000;
export const maxCharacters = 1_000_000;
/** The share that is kept when there are too many. */
const keptShare = 0.75;
export const maxCharactersOfOne = 50_000;

/** Creates an empty memory, of each caller or of all together. */
export function createEpisodes(by: "caller" | "anyone"): Episodes {
  /** In the order of addition. */
  const all = new Map<string, Episode>();
  const byCaller = new Map<string | undefined, Map<string, Episode>>();
  let characters = 0;
  const ownerOf = (caller: string | undefined) => (by === "anyone" ? undefined : caller);
  const keyOf = ({ caller, remembered }: Episode) => keyText([ownerOf(caller), remembered]);

  function forget(key: string, episode: Episode): void {
    all.delete(key);
    characters -= key.length;
    const owner = ownerOf(episode.caller);
    const own = byCaller.get(owner);
    own?.delete(key);
    if (own?.size === 0) byCaller.delete(owner);
  }

  return {
    add(episode) {
      const key = keyOf(episode);
      if (all.has(key) || key.length > maxCharactersOfOne) return;
      all.set(key, episode);
      characters += key.length;
      const owner = ownerOf(episode.caller);
      const own = byCaller.get(owner) ?? new Map<string, Episode>();
      byCaller.set(owner, own.set(key, episode));
      if (all.size <= maxEpisodes && characters <= maxCharacters) return;
      // Forgetting many at once is faster than one at each addition, because a map keeps the places of removed entries for a while.
      for (const [oldest, forgotten] of all) {
        if (all.size <= maxEpisodes * keptShare && characters <= maxCharacters * keptShare) break;
        forget(oldest, forgotten);
      }
    },
    of: (caller) => byCaller.get(ownerOf(caller))?.values() ?? [],
    remove(episode) {
      forget(keyOf(episode), episode);
    },
  };
}

function keyText(key: unknown): string {
  try {
    return JSON.stringify(key);
  } catch {
    // A replacer is slow, and integers above 2^53 are rare.
    return JSON.stringify(key, (_, value) => (typeof value === "bigint" ? String(value) : value));
  }
}
