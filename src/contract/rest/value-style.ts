/** How arrays and objects are written as text. Source: OpenAPI 3.1, "Style Values". */
export interface ValueStyle {
  readonly name: string;
  readonly explode: boolean;
}

/** The style of a parameter, or that of its place. A field of a form is written as in a query. Source: OpenAPI 3.1, "Parameter Object". */
export function styleOf(
  place: string,
  { style, explode }: { readonly style?: string | undefined; readonly explode?: boolean | undefined },
): ValueStyle {
  const name = style ?? (place === "path" || place === "header" ? "simple" : "form");
  return { name, explode: explode ?? name === "form" };
}
