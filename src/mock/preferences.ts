/**
 * The parts of a `Prefer` header, such as `code=400, example=unknown_channel`, as names in lower case and unquoted values.
 * Parts are separated by `,` or, as Prism has it, by `;`. Source: RFC 7240.
 */
export function preferences(header: string | null | undefined): (readonly [name: string, value: string])[] {
  return (header ?? "").split(/[,;]/).map((part) => {
    const [name = "", value = ""] = part.split("=", 2).map((piece) => piece.trim());
    return [name.toLowerCase(), value.replace(/^"(.*)"$/, "$1")];
  });
}
