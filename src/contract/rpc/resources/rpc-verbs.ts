import { plainName, singular } from "../../rest/resources/names.js";

/** What an RPC does to things of a kind, as far as its name tells. */
export type RpcVerb = "create" | "read" | "list" | "update" | "remove";

const verbs: Readonly<Record<RpcVerb, readonly string[]>> = {
  create: "create add insert register new put grant import publish upload".split(" "),
  read: "get read fetch describe show lookup retrieve".split(" "),
  list: "list search query find range scan".split(" "),
  update: "update modify edit replace set patch".split(" "),
  remove: "delete remove destroy drop revoke unregister erase".split(" "),
};

/** The verbs whose second undoes the first, with the same object. */
const opposites: readonly (readonly [string, string])[] = [
  ...([
    ["Grant", "Revoke"],
    ["Add", "Remove"],
    ["Attach", "Detach"],
    ["Assign", "Unassign"],
  ] as const),
  ...([
    ["Lock", "Unlock"],
    ["Join", "Leave"],
    ["Start", "Stop"],
    ["Open", "Close"],
    ["Set", "Unset"],
  ] as const),
  ...([
    ["Subscribe", "Unsubscribe"],
    ["Link", "Unlink"],
    ["Follow", "Unfollow"],
  ] as const),
];

/** The words of a name in CamelCase. */
export function wordsOf(name: string): string[] {
  return name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z\d]+|\d+/g) ?? [];
}

function verbOf(word = ""): RpcVerb | undefined {
  const plain = word.toLowerCase();
  return (Object.keys(verbs) as RpcVerb[]).find((verb) => verbs[verb].includes(plain));
}

/**
 * Reads the name of an RPC: `CreateBook`, `BookCreate`, the plural `LeaseLeases`, or, for what a service holds, verbs alone as in `Put` and
 * `DeleteRange`. The noun is a singular. Undefined for any other name.
 */
export function readRpcName(
  name: string,
  service: string,
): { readonly verb: RpcVerb; readonly noun: string } | undefined {
  const words = wordsOf(name);
  const [first, last] = [verbOf(words[0]), verbOf(words.at(-1))];
  if (first !== undefined && words.every((word) => verbOf(word) !== undefined)) return { verb: first, noun: service };
  if (first !== undefined) return { verb: first, noun: singular(words.slice(1).join("")) };
  const before = words.slice(0, -1).join("");
  if (last !== undefined && before !== "") return { verb: last, noun: singular(before) };
  const isPlural = words.length > 1 && plainName(singular(words.at(-1) ?? "")) === plainName(before);
  return isPlural ? { verb: "list", noun: before } : undefined;
}

/** The names of RPCs that an RPC may undo, such as `UserGrantRole` for `UserRevokeRole`. */
export function undoneBy(name: string): string[] {
  const words = wordsOf(name);
  return words.flatMap((word, index) =>
    opposites.flatMap(([does, undoes]) => (word === undoes ? words.with(index, does).join("") : [])),
  );
}
