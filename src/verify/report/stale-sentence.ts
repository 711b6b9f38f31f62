import type { StaleEntry } from "./judge-rules.js";

/** What is wrong with an entry of the known-failing list. */
export function staleSentence(why: StaleEntry["why"]): string {
  switch (why) {
    case "passes":
      return "It is listed as known to fail, and passes. Remove it from the list.";
    case "unknown":
      return "It is listed as known to fail, and no check has this name.";
  }
}
