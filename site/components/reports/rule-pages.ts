import { withBase } from "vitepress";
import { shallowRef } from "vue";

/** The rules of each page, in a file of their own. */
export type RulePages = Readonly<Record<string, readonly string[]>>;

const pageOf = shallowRef<ReadonlyMap<string, string>>(new Map());
let isLoading = false;

/** The address of a rule on this site. Undefined if no page has the rule, and until the list of rules is loaded. */
export function useRuleLinks(): (id: string) => string | undefined {
  if (!isLoading) {
    isLoading = true;
    void load();
  }
  return (id) => {
    const page = pageOf.value.get(id);
    return page === undefined ? undefined : withBase(`/${page}#rule-${id}`);
  };
}

async function load(): Promise<void> {
  const response = await fetch(withBase("/rule-pages.json"));
  if (!response.ok) return;
  const pages = (await response.json()) as RulePages;
  pageOf.value = new Map(Object.entries(pages).flatMap(([page, ids]) => ids.map((id) => [id, page] as const)));
}
