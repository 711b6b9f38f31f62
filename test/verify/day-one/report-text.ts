/** Replaces what differs from run to run in a report for a terminal: the address of the server, durations, the seed and versions. */
export function stableText(text: string, serverUrl: string): string {
  return text
    .replaceAll(serverUrl, "http://server")
    .replaceAll(/ in (?:[\d.,]+ m?s|\d+ min \d+ s):/g, " in … s:")
    .replaceAll(/^(?:Seed: |chat )\S+/gm, (found) => `${found.split(" ", 1)[0]} …`);
}
