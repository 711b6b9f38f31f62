/** Items that are lent to one holder at a time. */
export interface Pool<Item> {
  /** Resolves when an item is free. */
  readonly take: () => Promise<Item>;
  readonly give: (item: Item) => void;
  /** Every item created so far. */
  readonly items: () => readonly Item[];
}

/** Creates a pool of at most `max` items, each created when it is first needed. */
export function createPool<Item>(max: number, create: () => Item): Pool<Item> {
  const items: Item[] = [];
  const free: Item[] = [];
  const waiting: ((item: Item) => void)[] = [];
  return {
    take: async () => {
      const known = free.pop();
      if (known !== undefined) return known;
      if (items.length >= max) return new Promise((resolve) => waiting.push(resolve));
      const item = create();
      items.push(item);
      return item;
    },
    give: (item) => {
      const next = waiting.shift();
      if (next === undefined) free.push(item);
      else next(item);
    },
    items: () => items,
  };
}
