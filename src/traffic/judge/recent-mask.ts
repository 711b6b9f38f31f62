import type { Mask } from "../../judge/excerpt.js";
import { createMask } from "../../judge/mask.js";
import type { SecretPlaces } from "../../secrets/secret-places.js";

/** How many secrets are remembered, and which texts a mask of one hides. */
export interface RecentMaskOptions {
  readonly maxRemembered: number;
  /** Of one exchange. Defaults to all. */
  readonly maxOfOne?: number;
  /** Defaults to the secret alone. */
  readonly textsOf?: (secret: string) => readonly string[];
  /** Where else a text has secrets. Defaults to nowhere. */
  readonly places?: SecretPlaces;
}

/** Creates a function that returns a mask of secrets and of the most recent earlier ones. */
export function createRecentMask({
  maxRemembered,
  maxOfOne = maxRemembered,
  textsOf = (secret) => [secret],
  places,
}: RecentMaskOptions): (secrets: readonly string[]) => Mask {
  const remembered = new Set<string>();
  /** The requests of a client have the same secrets. */
  let latest: { readonly key: string; readonly mask: Mask } | undefined;
  return (secrets) => {
    for (const secret of secrets.slice(0, maxOfOne)) {
      // The most recent come last.
      remembered.delete(secret);
      remembered.add(secret);
    }
    for (const secret of remembered) {
      if (remembered.size <= maxRemembered) break;
      remembered.delete(secret);
    }
    const all = [...new Set([...secrets, ...remembered])].sort();
    const key = JSON.stringify(all);
    if (latest?.key !== key) latest = { key, mask: createMask(all.flatMap(textsOf), places) };
    return latest.mask;
  };
}
