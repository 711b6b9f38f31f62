import { preferences } from "../preferences.js";

/** The case that a `prefer` header names, as in `case=select-nothing`. Other preferences are ignored. */
export function preferredCase(header: string | null): string | undefined {
  return preferences(header).find(([name]) => name === "case")?.[1];
}
