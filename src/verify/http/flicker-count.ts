import type { JsonReport } from "../../report/model/json-report.js";
import type { Flicker } from "./send-request.js";

/** Counts the flickers of a run. */
export interface FlickerCount {
  readonly note: (flicker: Flicker) => void;
  /** Notes that the server itself, and no gateway, answered a request that may write, such as `POST /pets`. */
  readonly noteWrite: (request: string) => void;
  /** What the report says of them. Empty if there were none. */
  readonly report: () => Pick<JsonReport, "flickers">;
}

/** From how many responses of a gateway in a row on something may be wrong since the write before them, such as a maintenance mode. */
const lastingRow = 20;

/** Creates the count of a run. */
export function createFlickerCount(): FlickerCount {
  const counts = { dropped: 0, gateway: 0, surplus: 0 };
  let row = 0;
  let lastWrite: string | undefined;
  let longest = { row: lastingRow - 1, after: lastWrite };
  return {
    note: (flicker) => {
      counts[flicker]++;
      if (flicker === "gateway" && ++row > longest.row) longest = { row, after: lastWrite };
    },
    noteWrite: (request) => {
      row = 0;
      lastWrite = request;
    },
    report: () =>
      counts.dropped + counts.gateway + counts.surplus === 0
        ? {}
        : { flickers: { ...counts, gatewayAfter: longest.after } },
  };
}
