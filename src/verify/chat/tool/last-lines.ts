import { createMask } from "../../mask.js";

/** The end of what a tool has printed, masked. */
export function lastLines(text: string): string {
  return createMask([])(text.trim().split("\n").slice(-8).join("\n").slice(-1000)) || "nothing";
}
