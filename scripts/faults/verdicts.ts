import type { AllFaultTables, FaultTables, ToolVerdict } from "../../site/pages/tools/fault-tables.js";
import type { Fault, Variation } from "./fault.js";

/** The verdicts of the tools on each fault and variation of a service, by name. */
export type Verdicts = ReadonlyMap<string, readonly ToolVerdict[]>;

/** The verdicts in a table. */
export function verdictsIn({ faults, variations }: FaultTables): Verdicts {
  return new Map([...faults, ...variations].map(({ name, verdicts }) => [name, verdicts]));
}

type Named = Pick<Variation<unknown>, "name" | "summary">;

/** The table of the faults and variations that have verdicts. */
export function tableOf(
  tools: readonly string[],
  faults: readonly (Named & Pick<Fault<unknown>, "family">)[],
  variations: readonly Named[],
  verdicts: Verdicts,
): FaultTables {
  return {
    tools,
    faults: faults.map(({ name, family, summary }) => ({ name, family, summary, verdicts: verdicts.get(name) ?? [] })),
    variations: variations.map(({ name, summary }) => ({ name, summary, verdicts: verdicts.get(name) ?? [] })),
  };
}

/** Formats `verdicts.json`, with a line for each fault and variation. */
export function formatVerdicts(tables: AllFaultTables): string {
  const listed = (rows: readonly unknown[]) => rows.map((row) => JSON.stringify(row)).join(",\n");
  const services = Object.entries<FaultTables>({ ...tables }).map(
    ([service, { tools, faults, variations }]) =>
      `"${service}":{"tools":${JSON.stringify(tools)},\n"faults":[\n${listed(faults)}\n],"variations":[\n${listed(variations)}\n]}`,
  );
  return `{${services.join(",\n")}}\n`;
}
