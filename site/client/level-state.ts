import { type Ref, ref } from "vue";

/** The query parameter that holds the level. */
const parameter = "level";

/** The level of the pages. Undefined for the newest one. */
export const chosenLevel: Ref<number | undefined> = ref();

/** Reads the level from a query string. Undefined if it has none, or anything but an integer from 0 up to the level below the newest. */
export function levelIn(search: string, newest: number): number | undefined {
  const text = new URLSearchParams(search).get(parameter) ?? "";
  const level = /^\d{1,6}$/.test(text) ? Number(text) : undefined;
  return level === undefined || level >= newest ? undefined : level;
}

/** Replaces the level in an address. */
export function withLevel(address: string, level: number | undefined): string {
  const url = new URL(address);
  if (level === undefined) url.searchParams.delete(parameter);
  else url.searchParams.set(parameter, String(level));
  return url.href;
}

/** Puts the chosen level into the address of the page. */
export function keepLevelInAddress(): void {
  const address = withLevel(location.href, chosenLevel.value);
  if (address !== location.href) history.replaceState(history.state, "", address);
}
