/** The title of an identifier such as `user_groups` or `edit-history`. */
export function titleOf(identifier: string): string {
  return `${identifier.charAt(0).toUpperCase()}${identifier.slice(1).replaceAll(/[_-]/g, " ")}`;
}
