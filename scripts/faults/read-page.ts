import type { Verdict } from "./measured-service.js";

/** The verdicts on each fault and variation of a service, by name. */
export type Verdicts = ReadonlyMap<string, Verdict>;

/** Parses a page written by `formatPage`. */
export function readPage(page: string): { readonly chat: Verdicts; readonly daemon: Verdicts } {
  const [chat = "", daemon = ""] = page.split("\n## Daemon\n");
  return { chat: readVerdicts(chat), daemon: readVerdicts(daemon) };
}

/** Whether every tool has been run on a behaviour. */
export function isMeasured(verdict: Verdict | undefined): boolean {
  return verdict !== undefined && (verdict.unmeasuredBy ?? []).length === 0;
}

function readVerdicts(part: string): Verdicts {
  const verdicts = new Map<string, Verdict>();
  let tools: readonly string[] = [];
  for (const line of part.split("\n")) {
    const [, head] = /^\| A server that \| {2}\| (.*) \|$/.exec(line) ?? [];
    if (head !== undefined) tools = head.split(" | ");
    const [, name, cells] = /^\| .* \| `([a-z\d-]+)` \| (.*) \|$/.exec(line) ?? [];
    if (name === undefined || cells === undefined) continue;
    const said = cells.split(" | ");
    const toolsWith = (cell: string) => tools.filter((_, index) => said[index] === cell);
    verdicts.set(name, { reportedBy: toolsWith("yes"), unmeasuredBy: toolsWith("?") });
  }
  return verdicts;
}
