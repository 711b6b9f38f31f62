import type { JsonReport } from "../../report/model/json-report.js";
import type { Flicker } from "./send-request.js";

/** Counts the flickers of a run. */
export interface FlickerCount {
  readonly note: (flicker: Flicker) => void;
  /** What the report says of them. Empty if there were none. */
  readonly report: () => Pick<JsonReport, "flickers">;
}

/** Creates the count of a run. */
export function createFlickerCount(): FlickerCount {
  const counts = { dropped: 0, gateway: 0, surplus: 0 };
  return {
    note: (flicker) => {
      counts[flicker]++;
    },
    report: () => (counts.dropped + counts.gateway + counts.surplus === 0 ? {} : { flickers: { ...counts } }),
  };
}
