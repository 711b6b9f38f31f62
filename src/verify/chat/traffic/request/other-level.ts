/** Says that the server's level lacks a part of the contract. `levels` are those at which the part exists. */
export function describeOtherLevel(
  name: string,
  levels: { readonly added?: number; readonly removed?: number } | undefined,
  level: number,
): string {
  const { added = 0, removed } = levels ?? {};
  return added > level
    ? `${name} exists from feature level ${added} on, but the server has level ${level}`
    : `${name} was removed at feature level ${removed}, and the server has level ${level}`;
}
