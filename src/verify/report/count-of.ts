/** A number with what it counts: `1 rule`, `2 rules`, `1,024 checks`. */
export function countOf(count: number, singular: string, plural = `${singular}s`): string {
  return `${count.toLocaleString("en-US")} ${count === 1 ? singular : plural}`;
}
