/** The keys of members that may be undefined. */
type OptionalKey<T> = { [Key in keyof T]-?: undefined extends T[Key] ? Key : never }[keyof T];

/** An object without members that are undefined. */
export type Defined<T> = Omit<T, OptionalKey<T>> & { [Key in OptionalKey<T>]?: Exclude<T[Key], undefined> };

/** Drops the members that are undefined. */
export function defined<T extends object>(object: T): Defined<T> {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as Defined<T>;
}
