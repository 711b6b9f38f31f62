import { randomInt } from "node:crypto";
import { requireInteger } from "./require-integer.js";

/** The greatest seed of random requests. */
export const mostSeed = 2 ** 31 - 1;

/** A seed, or a random one when it is left out. Throws a `CouldNotRunError` unless it is an integer from 0 to `mostSeed`. */
export function resolveSeed(seed = randomInt(mostSeed)): number {
  requireInteger("seed", seed, 0, mostSeed);
  return seed;
}
