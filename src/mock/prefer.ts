/**
 * Parses a `Prefer` header such as `code=400, example=unknown_channel` (RFC 7240) into lower-case names and unquoted values.
 * Preferences are separated by `,` or, as Prism allows, by `;`.
 */
function preferences(header: string | null | undefined): (readonly [name: string, value: string])[] {
  return (header ?? "").split(/[,;]/).map((part) => {
    const [name = "", value = ""] = part.split("=", 2).map((piece) => piece.trim());
    return [name.toLowerCase(), value.replace(/^"(.*)"$/, "$1")];
  });
}

/** The documented response that a request asks for. */
export interface Preference {
  /** An HTTP status. */
  readonly code?: number;
  /** The name of an example, which is the name of a case. */
  readonly example?: string;
  /** Whether to generate the body from the schema. */
  readonly dynamic?: boolean;
}

/** The parsed `Prefer` header, or the problem with it. */
export type ParsedPreference =
  | { readonly kind: "preference"; readonly value: Preference }
  | { readonly kind: "malformed"; readonly message: string };

/** Reads the `Prefer` header of a request to the mock of a REST API. Ignores unknown preferences. */
export function parsePrefer(header: string | undefined): ParsedPreference {
  let value: Preference = {};
  for (const [name, text] of preferences(header)) {
    switch (name) {
      case "code":
        if (!/^\d{3}$/.test(text)) {
          return { kind: "malformed", message: `Prefer: code must be an HTTP status, not '${text}'` };
        }
        value = { ...value, code: Number(text) };
        break;
      case "example":
        value = { ...value, example: text };
        break;
      case "dynamic":
        value = { ...value, dynamic: text === "" || text === "true" };
        break;
    }
  }
  return { kind: "preference", value };
}

/** The case that a `prefer` header of an RPC names, as in `case=select-nothing`. Ignores other preferences. */
export function preferredCase(header: string | null): string | undefined {
  return preferences(header).find(([name]) => name === "case")?.[1];
}
