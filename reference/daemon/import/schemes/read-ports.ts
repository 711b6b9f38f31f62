import { readPort } from "./read-port.js";

/**
 * Reads a list of ports and ranges of them, such as `123,5000-6000`, as Hysteria writes them. Gives the first port, and undefined
 * when one of them is not between 1 and 65535 or a range ends before it begins.
 */
export function readPorts(text: string): number | undefined {
  let first: number | undefined;
  for (const item of text.split(",")) {
    const dash = item.indexOf("-");
    const from = readPort(dash < 0 ? item : item.slice(0, dash));
    const to = dash < 0 ? from : readPort(item.slice(dash + 1));
    if (from === undefined || to === undefined || to < from) return undefined;
    first ??= from;
  }
  return first;
}
