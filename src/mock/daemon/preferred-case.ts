/** The case that a `prefer` header names, as in `case=select-nothing`. Other preferences are ignored. Source: RFC 7240. */
export function preferredCase(header: string | null): string | undefined {
  for (const preference of (header ?? "").split(/[,;]/)) {
    const [name = "", value = ""] = preference.split("=", 2).map((part) => part.trim());
    if (name.toLowerCase() === "case") return value.replace(/^"(.*)"$/, "$1");
  }
  return undefined;
}
