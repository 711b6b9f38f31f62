/** The letters and digits of a text, and where each stood. */
export interface Squeezed {
  readonly text: string;
  /** Where the characters were that stand in `text` from `start` up to, but not including, `end`. */
  readonly origin: (start: number, end: number) => { readonly start: number; readonly end: number };
}

const isKept = Uint8Array.from({ length: 0x10000 }, (_, unit) =>
  /[\p{L}\p{N}]/u.test(String.fromCharCode(unit)) ? 1 : 0,
);

/** Takes everything out of a text but letters and digits of the basic plane, so that what was put between them hides nothing. */
export function squeeze(text: string): Squeezed {
  const origins: number[] = [];
  const pieces: string[] = [];
  let from = -1;
  for (let at = 0; at <= text.length; at++) {
    if (at < text.length && isKept[text.charCodeAt(at)] === 1) {
      if (from < 0) from = at;
      origins.push(at);
    } else if (from >= 0) {
      pieces.push(text.slice(from, at));
      from = -1;
    }
  }
  return {
    text: pieces.join(""),
    origin: (start, end) => ({ start: origins[start] ?? text.length, end: (origins[end - 1] ?? text.length - 1) + 1 }),
  };
}
