/** Describes what a text of a wrong type looks like, as the end of a sentence. Empty if it has no known form. */
export function describeMismatch(text: string | undefined, expected: string): string {
  if (text === undefined) return "";
  const trimmed = text.trim();
  if (/^(?:True|False|None)$/.test(trimmed))
    return ". It looks like a Python value: write true, false or nothing in its place";
  if (/^(?:null|undefined|NaN|None|nil|\[object Object\])$/.test(trimmed)) {
    return ". A parameter without a value must be omitted";
  }
  if (/^"(?:true|false|-?\d+)"$/.test(trimmed)) return ". It is JSON text of a string; send it without quotation marks";
  if (/^(?:yes|no|on|off|0|1|TRUE|FALSE)$/i.test(trimmed) && expected === "true or false")
    return ". Write true or false";
  if (/^"[\s\S]*"$/.test(trimmed)) return ". It is JSON text of a string, so it may have been encoded twice";
  if (/^[[{][\s\S]*'[\s\S]*[\]}]$/.test(trimmed)) return ". JSON needs double quotation marks";
  if (/^[^[{"]+(?:,[^[{"]+)+$/.test(trimmed)) return ". Lists are sent as JSON text, not separated by commas";
  return "";
}
