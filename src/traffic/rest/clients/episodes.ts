/** An exchange that a rule remembers. */
export interface Episode {
  readonly caller: string | undefined;
  /** When its response was complete, in milliseconds since 1970. */
  readonly endedAt: number;
  /** The connection of the client, if it is known. */
  readonly connection?: number | undefined;
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
const maxCharacters = 1_000_000;
/** The share that is kept when there are too many. */
const keptShare = 0.75;
const maxCharactersOfOne = 50_000;

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
