/** Puts the colours of a terminal around texts, or nothing. */
export type Style = Readonly<Record<"bold" | "dim" | "red" | "green" | "yellow" | "magenta", (text: string) => string>>;

/** Makes the colours of a terminal (ECMA-48), or a style that leaves texts as they are. */
export function createStyle(colours: boolean): Style {
  const paint = (on: number, off: number) => (text: string) =>
    colours && text !== "" ? `\x1b[${on}m${text}\x1b[${off}m` : text;
  return {
    bold: paint(1, 22),
    dim: paint(2, 22),
    red: paint(31, 39),
    green: paint(32, 39),
    yellow: paint(33, 39),
    magenta: paint(35, 39),
  };
}
