/** The tools that reported each fault and variation of a service, by name. */
export type Verdicts = ReadonlyMap<string, readonly string[]>;

/** Parses a page written by `formatPage`. */
export function readPage(page: string): { readonly chat: Verdicts; readonly daemon: Verdicts } {
  const [chat = "", daemon = ""] = page.split("\n## Daemon\n");
  return { chat: readVerdicts(chat), daemon: readVerdicts(daemon) };
}

function readVerdicts(part: string): Verdicts {
  const verdicts = new Map<string, readonly string[]>();
  let tools: readonly string[] = [];
  for (const line of part.split("\n")) {
    const [, head] = /^\| A server that \| {2}\| (.*) \|$/.exec(line) ?? [];
    if (head !== undefined) tools = head.split(" | ");
    const [, name, cells] = /^\| .* \| `([a-z\d-]+)` \| (.*) \|$/.exec(line) ?? [];
    if (name === undefined || cells === undefined) continue;
    const said = cells.split(" | ");
    verdicts.set(
      name,
      tools.filter((_, index) => said[index] === "yes"),
    );
  }
  return verdicts;
}
