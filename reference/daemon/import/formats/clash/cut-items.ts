/** Where an item of a block sequence stands in the text, from the start of its first line to the end of its last. */
export interface CutItem {
  readonly start: number;
  readonly end: number;
}

/**
 * Cuts a block sequence into its items, by lines and indentation. It begins at `start`, the start of a line with a dash, and ends where
 * the document goes on at its top level. A dash with less indentation than the others has no place in YAML, and begins an item all the
 * same. Where no item ends for long, it gives undefined.
 */
export function* cutItems(text: string, start: number): Generator<CutItem | undefined> {
  const indentation = indentationAt(text, start);
  let item = start;
  let progress = start;
  for (let line = nextLine(text, start); line < text.length; line = nextLine(text, line)) {
    const first = line + indentationAt(text, line);
    const code = text.charCodeAt(first);
    if (first === line && endsSequence(code) && !(indentation === 0 && isDash(text, first))) {
      yield { start: item, end: line };
      return;
    }
    if (first - line <= indentation && isDash(text, first)) {
      yield { start: item, end: line };
      item = line;
      progress = line;
    } else if (line - progress > charactersInAStep) {
      progress = line;
      yield undefined;
    }
  }
  yield { start: item, end: text.length };
}

const charactersInAStep = 16 * 1024;

/** Whether a line begins a sequence. */
export function isItemLine(text: string, line: number): boolean {
  return isDash(text, line + indentationAt(text, line));
}

/** Where the next line begins; the end of the text when there is none. */
export function nextLine(text: string, line: number): number {
  const end = text.indexOf("\n", line);
  return end < 0 ? text.length : end + 1;
}

function indentationAt(text: string, line: number): number {
  let at = line;
  while (text.charCodeAt(at) === spaceCode) at++;
  return at - line;
}

function isDash(text: string, at: number): boolean {
  return text[at] === "-" && " \t\n".includes(text[at + 1] ?? "\n");
}

/** Blank lines, comments and tabs belong to the item that they stand in. */
function endsSequence(code: number): boolean {
  return code !== lineFeed && code !== tab && code !== hash;
}

const tab = 0x09;
const lineFeed = 0x0a;
const spaceCode = 0x20;
const hash = 0x23;
