/** A name without its case and separators, the same for `pet_id` and `petId`. */
export function plainName(name: string): string {
  return name.replace(/[^A-Za-z0-9]/g, "").toLowerCase();
}

/** The singular of an English noun, as far as endings tell: `boxes` → `box`, `entries` → `entry`. */
export function singular(noun: string): string {
  if (/(?:ss|us|is)$/i.test(noun) || noun.length < 4) return noun;
  if (/ies$/i.test(noun)) return noun.replace(/ies$/i, "y");
  if (/(?:x|ch|sh|ss|z)es$/i.test(noun)) return noun.replace(/es$/i, "");
  return noun.replace(/s$/i, "");
}

/** A name in kebab-case, such as `open-orders` for `openOrders`. */
export function kebab(name: string): string {
  const words = name
    .replace(/([a-z\d])([A-Z])/g, "$1-$2")
    .toLowerCase()
    .match(/[a-z\d]+/g);
  return words?.join("-") ?? "";
}

/**
 * Which of some members holds what a parameter names: one of the same name, or what the noun and the member name together, such as `id` for
 * `petId` of `/pets`, or else the longest whose name ends that of the parameter, such as `kind` for `metadata_kind`, or, if the parameter is
 * named as the noun, one of the usual names. Undefined if there is none.
 */
export function memberFor(parameter: string, noun: string, members: readonly string[]): string | undefined {
  const wanted = plainName(parameter);
  const same = members.find((name) => name === parameter) ?? members.find((name) => plainName(name) === wanted);
  const one = singular(noun);
  const together = members.find((name) => plainName(`${one}${name}`) === wanted);
  const ending = members
    .filter((name) => plainName(name).length > 1 && wanted.endsWith(plainName(name)))
    .sort((shorter, longer) => longer.length - shorter.length);
  const qualified = members.find((name) => plainName(name) === plainName(`${one}${parameter}`));
  const isNoun = wanted === plainName(one) || wanted === plainName(noun);
  const usual = isNoun
    ? ["id", "uuid", "name", "key", "slug", "code"].find((name) => members.includes(name))
    : undefined;
  return same ?? together ?? ending[0] ?? qualified ?? usual;
}
