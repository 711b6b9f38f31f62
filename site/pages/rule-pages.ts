import { groupBy } from "../../src/verify/report/group-by.js";
import type { SiteSource } from "./site-source.js";

/** The file that tells reports which page has which rules, as a row of `writePages`. */
export function rulePagesFile({ pageOfRule }: SiteSource): [path: string, content: string] {
  const pages = [...groupBy(pageOfRule, ([, page]) => page)].map(([page, rules]) => [page, rules.map(([id]) => id)]);
  return ["public/rule-pages.json", JSON.stringify(Object.fromEntries(pages))];
}
