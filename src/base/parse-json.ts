/** Parses JSON. Undefined if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Deeper than anything in a contract, and less deep than what comparing or writing a value can follow. */
export const maxJsonDepth = 500;

/** The problem of JSON that is nested more deeply, as a sentence. */
export const nestedTooDeeply = "the answer is nested too deeply to read";

/** Parses JSON of a stranger. Undefined if the text is not valid JSON or is nested too deeply. */
export function parseShallowJson(text: string): unknown {
  return isNestedDeeply(text) ? undefined : parseJson(text);
}

const [quote, backslash, openList, closeList, openObject, closeObject] = [...'"\\[]{}'].map((one) => one.charCodeAt(0));

/** Whether JSON is nested more deeply than `maxJsonDepth`. Reads the text once, and makes nothing of it. */
export function isNestedDeeply(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  let depth = 0;
  let isText = false;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (isText) {
      if (code === backslash) index++;
      else if (code === quote) isText = false;
    } else if (code === quote) isText = true;
    else if (code === openList || code === openObject) {
      if (++depth > maxJsonDepth) return true;
    } else if (code === closeList || code === closeObject) depth--;
  }
  return false;
}
