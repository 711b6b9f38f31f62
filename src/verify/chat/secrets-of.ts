import type { StatesOutcome } from "./states-client.js";

/** What provider states have returned that must show nowhere: the keys of all callers, and the tokens of devices. */
export function secretsOf({ credentials, values }: Pick<StatesOutcome, "credentials" | "values">): string[] {
  return [...Object.values(credentials).map(({ api_key }) => api_key), ...tokensIn(values)];
}

/** The tokens of devices among the values of a state. */
export function tokensIn(values: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(values).flatMap(([name, value]) => (/token/i.test(name) ? [String(value)] : []));
}
