import { InvalidArgumentError } from "commander";

/** A parser for an option that takes an integer within bounds; the message of the error says which. */
export function integerBetween(minimum: number, maximum: number): (text: string) => number {
  return (text) => {
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (value >= minimum && value <= maximum) return value;
    throw new InvalidArgumentError(`It must be an integer from ${minimum} to ${maximum}.`);
  };
}
