/**
 * Compiles the pattern of a schema, for Ajv. Many documents have patterns that are invalid in Unicode mode, which JSON Schema asks for;
 * those are compiled without it. Throws a `SyntaxError` if the pattern is invalid in either mode.
 */
export const lenientRegExp = Object.assign(compile, { code: "RegExp" });

function compile(pattern: string, flags: string): RegExp {
  try {
    return new RegExp(pattern, flags);
  } catch {
    return new RegExp(pattern);
  }
}
