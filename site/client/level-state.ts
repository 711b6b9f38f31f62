import { type Ref, ref } from "vue";

/** The parameter of the address that holds the level. */
const parameter = "level";

/** The level at which pages are shown. Undefined stands for the newest one. */
export const chosenLevel: Ref<number | undefined> = ref();

/** The level in an address. Undefined if it has none, or one that is no whole number from 0 up to the newest level. */
export function levelIn(search: string, newest: number): number | undefined {
  const text = new URLSearchParams(search).get(parameter) ?? "";
  const level = /^\d{1,6}$/.test(text) ? Number(text) : undefined;
  return level === undefined || level >= newest ? undefined : level;
}

/** An address with a level instead of the one that it has. */
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
