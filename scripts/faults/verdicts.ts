import type { AllFaultTables, FaultTables, ToolVerdict } from "../../site/pages/tools/fault-tables.js";
import type { Fault, Variation } from "./fault.js";

/** The verdicts of the tools on each fault and variation of a service, by name. */
export type Verdicts = ReadonlyMap<string, readonly ToolVerdict[]>;

/** Verdicts in which undefined stands for those that are to be measured, as do missing names and ends of lists. */
export type KnownVerdicts = ReadonlyMap<string, readonly (ToolVerdict | undefined)[]>;

/** The first tools are plain and strict `accord verify`. */
const ownTools = 2;

/** Tools of others are run on each of so many faults. */
const sampled = 12;

/** Returns a function that keeps all verdicts of a table, except those on the named faults. */
export function otherThan(names: ReadonlySet<string>): (tables: FaultTables) => KnownVerdicts {
  return (tables) => new Map([...verdictsIn(tables)].filter(([name]) => !names.has(name)));
}

/** Returns a function that keeps no verdict of a table, or with `isOthers` those of `accord verify`. The tools of others measure a sample. */
export function remeasured({ isOthers }: { readonly isOthers: boolean }): (tables: FaultTables) => KnownVerdicts {
  return (tables) =>
    new Map(
      [...verdictsIn(tables)].map(([name, verdicts], row) => {
        const verdictOf = (verdict: ToolVerdict, tool: number) => {
          if (tool < ownTools) return isOthers ? verdict : undefined;
          return row % sampled === 0 ? undefined : "unmeasured";
        };
        return [name, verdicts.map(verdictOf)];
      }),
    );
}

/** The verdicts that need no measurement. */
export function completeIn(known: KnownVerdicts): Map<string, readonly ToolVerdict[]> {
  const isComplete = (verdicts: readonly (ToolVerdict | undefined)[]): verdicts is readonly ToolVerdict[] =>
    !verdicts.includes(undefined);
  return new Map([...known].flatMap(([name, verdicts]) => (isComplete(verdicts) ? [[name, verdicts] as const] : [])));
}

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
