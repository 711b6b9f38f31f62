/** RFC 9110, section 5.6.2. */
const token = "[\\w!#$%&'*+.^`|~-]+";
const parameter = `[ \\t]*;(?:[ \\t]*${token}=(?:${token}|"(?:[^"\\\\]|\\\\.)*"))?`;
const range = new RegExp(`^(?:${token}/${token}|\\*)(?:${parameter})*$`);
/** An element of a list, which may have commas in quotes. */
const element = /(?:[^",]|"(?:[^"\\]|\\.)*"?)+/g;

/**
 * The media ranges of an `Accept` header, such as `application/json` and `text/*;q=0.5`. Skips what is none, and reads `*`, which
 * some clients send, as any type. Source: RFC 9110, section 12.5.1.
 */
export function acceptedTypes(accept: string): string[] {
  return (accept.match(element) ?? [])
    .map((one) => one.trim())
    .filter((one) => range.test(one))
    .map((one) => one.replace(/^\*(?!\/)/, "*/*"));
}
