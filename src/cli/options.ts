import { InvalidArgumentError } from "commander";

/** The maximum of `--feature-level`. No contract has nearly as many levels. */
export const maxLevel = 1_000_000;

/** Creates a parser for an integer option. Its error message names the bounds. */
export function integerBetween(minimum: number, maximum: number): (text: string) => number {
  return (text) => {
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (value >= minimum && value <= maximum) return value;
    throw new InvalidArgumentError(`It must be an integer from ${minimum} to ${maximum}.`);
  };
}

/** Creates a parser for an option from a function that describes what is wrong with its value. */
export function validText(problemOf: (text: string) => string | undefined): (text: string) => string {
  return (text) => {
    const problem = problemOf(text);
    if (problem !== undefined) throw new InvalidArgumentError(problem);
    return text;
  };
}
