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

/** More than a list of thousands of records has, and few enough to be judged within a second. */
export const maxJsonValues = 200_000;

/** Parses JSON of a stranger. Undefined if the text is not valid JSON or exceeds a bound. */
export function parseBoundedJson(text: string): unknown {
  return jsonExcess(text) === undefined ? parseJson(text) : undefined;
}

const [quote, backslash, comma] = [...'"\\,'].map((one) => one.charCodeAt(0));
const [openList, closeList, openObject, closeObject] = [..."[]{}"].map((one) => one.charCodeAt(0));

/** Which bound JSON exceeds, as a sentence. Reads the text once, and makes nothing of it. */
export function jsonExcess(text: string): string | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  let depth = 0;
  // Each value but the first follows a comma or an opening bracket.
  let values = 1;
  let isText = false;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (isText) {
      if (code === backslash) index++;
      else if (code === quote) isText = false;
    } else if (code === quote) isText = true;
    else if (code === openList || code === openObject) {
      if (++depth > maxJsonDepth) return "the answer is nested too deeply to read";
      values++;
    } else if (code === closeList || code === closeObject) depth--;
    else if (code === comma) values++;
    if (values > maxJsonValues) return `the answer holds more than ${maxJsonValues.toLocaleString("en-US")} values`;
  }
  return undefined;
}
