import { type FaultTables, readFaultTables } from "../../site/pages/tools/read-fault-tables.js";
import type { Verdict } from "./measured-service.js";

/** The verdicts on each fault and variation of a service, by name. */
export type Verdicts = ReadonlyMap<string, Verdict>;

/** Parses a page written by `formatPage`. */
export function readPage(page: string): { readonly chat: Verdicts; readonly daemon: Verdicts } {
  const { chat, daemon } = readFaultTables(page);
  return { chat: toVerdicts(chat), daemon: toVerdicts(daemon) };
}

function toVerdicts({ tools, faults, variations }: FaultTables): Verdicts {
  return new Map(
    [...faults, ...variations].map(({ name, verdicts }) => [
      name,
      {
        reportedBy: tools.filter((_, index) => verdicts[index] === "reported"),
        unmeasuredBy: tools.filter((_, index) => verdicts[index] === "unmeasured"),
      },
    ]),
  );
}
