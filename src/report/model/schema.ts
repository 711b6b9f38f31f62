/** A JSON Schema (2020-12). `~value` exists in its type only, which knows the values that it describes. */
export type ReportSchema<Value> = object & { readonly "~value"?: Value };

/** The values that a schema describes. */
export type ValueOf<Of> = Of extends ReportSchema<infer Value> ? Value : never;

/** A member that may be absent. */
export interface Optional<Value> {
  readonly optional: ReportSchema<Value>;
}

type Members = Readonly<Record<string, ReportSchema<unknown> | Optional<unknown>>>;

type Described<Of extends Members> = {
  readonly [Key in keyof Of as Of[Key] extends Optional<unknown> ? never : Key]: ValueOf<Of[Key]>;
} & {
  readonly [Key in keyof Of as Of[Key] extends Optional<unknown> ? Key : never]?: Of[Key] extends Optional<infer Value>
    ? Value
    : never;
};

/** The schema of a closed object. */
export type ObjectSchema<Value> = ReportSchema<Value> & { readonly properties: Readonly<Record<string, object>> };

const schema = <Value>(keywords: object): ReportSchema<Value> => keywords;

export const text = schema<string>({ type: "string" });
export const texts = list(text);
export const flag = schema<boolean>({ type: "boolean" });

/** Numbers. Integers if `type` says so. */
export function number(
  type: "number" | "integer",
  bounds: { minimum?: number; maximum?: number } = {},
): ReportSchema<number> {
  return schema({ type, ...bounds });
}

export const count = number("integer", { minimum: 0 });

/** One value, or one of several. */
export function oneOf<const Value extends string | number | boolean>(values: readonly Value[]): ReportSchema<Value> {
  return schema(values.length === 1 ? { const: values[0] } : { enum: values });
}

export function anyOf<Value>(schemas: readonly ReportSchema<Value>[]): ReportSchema<Value> {
  return schema({ oneOf: schemas });
}

export function list<Value>(items: ReportSchema<Value>): ReportSchema<readonly Value[]> {
  return schema({ type: "array", items });
}

export function optional<Value>(schema: ReportSchema<Value>): Optional<Value> {
  return { optional: schema };
}

/** A closed object with these members. */
export function object<const Of extends Members>(members: Of): ObjectSchema<Described<Of>> {
  const entries = Object.entries(members);
  return {
    type: "object",
    required: entries.flatMap(([name, member]) => ("optional" in member ? [] : name)),
    properties: Object.fromEntries(
      entries.map(([name, member]) => [name, "optional" in member ? member.optional : member]),
    ),
    additionalProperties: false,
  } as ObjectSchema<Described<Of>>;
}

/** An object with the same number for each name. */
export function tallies<const Name extends string>(
  names: readonly Name[],
): ObjectSchema<Readonly<Record<Name, number>>> {
  return object(Object.fromEntries(names.map((name) => [name, count]))) as ObjectSchema<Readonly<Record<Name, number>>>;
}

/** The members of a value that a schema names, in its order. Drops those that are undefined. */
export function membersOf<Value extends object>(
  { properties }: ObjectSchema<Value>,
  value: { readonly [Key in keyof Value]: Value[Key] | undefined },
): Value {
  const given = value as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    Object.keys(properties).flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]])),
  ) as Value;
}
