/**
 * How requests of an operation are written and read. `compileOperation` makes it from a document; it is JSON, so a generated table can hold
 * it.
 */
export interface Operation {
  /** In upper case. */
  readonly method: string;
  /** The template below the path of the API, such as `/messages/{message_id}`. */
  readonly path: string;
  /** Those of path, query, headers and cookies. */
  readonly parameters: readonly Parameter[];
  /** The bodies that a request may have, the one to send first. Undefined without a body. */
  readonly bodies?: readonly Body[];
}

/** The part of a request that carries a parameter. */
export type Place = "path" | "query" | "header" | "cookie" | "body";

/** What a text may stand for. */
export interface TextType {
  /** The types of JSON Schema that it may have. Undefined for any. */
  readonly type?: string | readonly string[];
  /** The only values that it may have, if the schema lists them. */
  readonly enum?: readonly unknown[];
}

/** A parameter, a field of a body, or a body as a whole. */
export interface Parameter extends TextType {
  /** The name by which values know it, unique in the operation. */
  readonly name: string;
  readonly place: Place;
  /** The name in the request, if it is another. Null for the whole body. */
  readonly wireName?: string | null;
  readonly required?: boolean;
  /** Whether its text is JSON. */
  readonly json?: boolean;
  /** Whether it is a file, or the bytes of a body. An array of files is a part for each. */
  readonly isFile?: boolean;
  /** The media type of its part of a multipart body, if that is not the usual one. */
  readonly contentType?: string;
  /** How arrays and objects are written as text. Undefined for JSON and files. */
  readonly style?: ValueStyle;
  /** The items of an array, or the members of an object with any names. */
  readonly items?: TextType;
  /** The members of an object by name. */
  readonly members?: Readonly<Record<string, TextType>>;
  /** Whether a value of the path may contain slashes. */
  readonly slashes?: true;
  /** Whether it may be sent without a value, such as `?verbose` (OpenAPI 3.0, `allowEmptyValue`). */
  readonly mayBeEmpty?: true;
}

/** How arrays and objects are written as text. Source: OpenAPI 3.1, "Style Values". */
export interface ValueStyle {
  readonly name: string;
  readonly explode: boolean;
}

/** How a body is encoded: as form fields, as JSON, or as it is. */
export type BodyForm = "form" | "multipart" | "json" | "raw";

/** A body of a media type. */
export interface Body {
  /** The media type, or a range such as `image/*`. */
  readonly type: string;
  readonly form: BodyForm;
  readonly required?: boolean;
  /** The fields, or the whole body, if it is no object with named properties. */
  readonly fields: readonly Parameter[];
}

/** Lists the parameters of an operation, with the fields of the body that is sent. */
export function inputsOf({ parameters, bodies }: Operation): readonly Parameter[] {
  return bodies === undefined ? parameters : [...parameters, ...(bodies[0]?.fields ?? [])];
}

/** The place of a parameter, or that of one that the operation lacks. */
export function placeOf(operation: Operation, name: string): Place {
  return inputsOf(operation).find((one) => one.name === name)?.place ?? defaultPlace(operation);
}

/** The place of a parameter that the operation lacks: the query if a request has no body, or else the body. */
export function defaultPlace({ method }: Operation): Place {
  return method === "GET" || method === "HEAD" ? "query" : "body";
}

/** The name of a parameter in the request. The empty name stands for a whole body. */
export function wireNameOf({ name, wireName = name }: Parameter): string {
  return wireName ?? "";
}

/** Whether a value may have one of the types, or any if none is listed. */
export function mayBe({ type }: TextType, ...types: readonly string[]): boolean {
  return type !== undefined && [type].flat().some((one) => types.includes(one));
}
