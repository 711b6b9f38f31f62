import type { Scheme } from "./scheme.js";

/** A line with the URL of another subscription, which is never followed: whoever wrote the list would choose where this daemon asks. */
export const nestedSubscription: Scheme = { names: ["http", "https"], parse: () => "nested-subscription" };
