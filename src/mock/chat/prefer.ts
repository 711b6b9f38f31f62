/** Which documented response a request asks for. */
export interface Preference {
  /** An HTTP status. */
  readonly code?: number;
  /** The name of an example, which is the name of a case. */
  readonly example?: string;
  /** Whether the body is made up from the schema. */
  readonly dynamic?: boolean;
}

/** A readable `Prefer` header, or what is wrong with it. */
export type ParsedPreference =
  | { readonly kind: "preference"; readonly value: Preference }
  | { readonly kind: "malformed"; readonly message: string };

/**
 * Reads `Prefer: code=400, example=unknown_channel`, with `,` or `;` between the parts, as Prism does.
 *
 * Preferences that the mock does not know are ignored. Source: RFC 7240.
 */
export function parsePrefer(header: string | undefined): ParsedPreference {
  let value: Preference = {};
  for (const part of (header ?? "").split(/[,;]/)) {
    const [name = "", text = ""] = part.split("=", 2).map((piece) => piece.trim().replace(/^"(.*)"$/, "$1"));
    switch (name.toLowerCase()) {
      case "code":
        if (!/^\d{3}$/.test(text))
          return { kind: "malformed", message: `Prefer: code must be an HTTP status, not '${text}'` };
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
