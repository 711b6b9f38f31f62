import { countOf, formatDuration, pluralize } from "../../text/format-values.js";
import type { JsonReport, Outage } from "./json-report.js";

/** How many requests, or groups of them, before outages are named. The findings show each that ended the server. */
const maxNamed = 6;

type Disturbed = Pick<JsonReport, "outages" | "flickers">;

/** The outage that ended a run: the server did not come back. Undefined if there was none. */
export function lastingOutage({ outages = [] }: Disturbed): Outage | undefined {
  return outages.find(({ durationMs }) => durationMs === undefined);
}

/** Says when and after which request the server stopped responding for good, as a sentence. Undefined if it did not. */
export function describeLastingOutage(report: Disturbed): string | undefined {
  const outage = lastingOutage(report);
  if (outage === undefined) return undefined;
  const time = `${outage.at.slice(11, 19)} UTC`;
  const after = outage.after === undefined ? "" : `, after ${outage.after}`;
  switch (outage.state) {
    case "busy":
      return `From ${time}${after}, the server answered every request with 429.`;
    case "gateway":
      return `From ${time}${after}, only a gateway answered instead of the server.`;
    case "hanging":
      return `At ${time}${after}, the server stopped responding to any request, and did not respond again.`;
    case "away":
      return `At ${time}${after}, the server stopped listening, and did not come back.`;
  }
}

/** Says in a line each what happened beside the checks that breaks no rule. */
export function describeDisturbances({ outages = [], flickers }: Disturbed): string[] {
  const passed = outages.filter(({ durationMs }) => durationMs !== undefined);
  const awayMs = passed.reduce((sum, { durationMs = 0 }) => sum + durationMs, 0);
  const requests = [...new Set(passed.flatMap((outage) => outage.after ?? []))];
  const others = requests.length > maxNamed ? `; and ${countOf(requests.length - maxNamed)} more` : "";
  const after = `${requests.slice(0, maxNamed).join("; ")}${others}`;
  const { dropped = 0, gateway = 0, surplus = 0, gatewayAfter } = flickers ?? {};
  const since =
    gatewayAfter === undefined ? "" : `, most of them after ${gatewayAfter} (\`--exclude\` it if it causes them)`;
  return [
    ...(passed.length === 0
      ? []
      : [
          `The server was away ${passed.length === 1 ? "once" : `${countOf(passed.length)} times`}, for ${formatDuration(awayMs)}` +
            `${after === "" ? "" : `, after ${after}`}`,
        ]),
    ...(gateway === 0 ? [] : [`${pluralize(gateway, "gateway error")}, which break no rule${since}`]),
    ...(dropped === 0
      ? []
      : [`${pluralize(dropped, "connection")} closed without a response; the request, sent again, got one`]),
    ...(surplus === 0
      ? []
      : [`${pluralize(surplus, "response")} followed by bytes that no request asked for, which were not judged`]),
  ];
}
