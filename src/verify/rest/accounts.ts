import { readFile } from "node:fs/promises";
import { createSecret, type Secret } from "../../secrets/secret.js";
import { CouldNotRunError } from "../could-not-run-error.js";
import { loadStatesCatalogue } from "../states/catalogue.js";

/** An account of a real organization. */
export interface Account {
  readonly email: string;
  readonly key: Secret;
}

/** Accounts by the caller of the provider states that each stands for, such as `member`. */
export type Accounts = Readonly<Record<string, Account>>;

/** The caller that an account without a role stands for. */
const plainCaller = "member";

const form = "EMAIL:KEY, ROLE=EMAIL:KEY or @FILE with one of them per line";

/**
 * Reads accounts: `EMAIL:KEY` of a member, `ROLE=EMAIL:KEY`, or `@FILE` with one of them per line, in which lines that begin with `#`
 * are comments. Rejects with a `CouldNotRunError` that quotes nothing but the names of files and roles.
 */
export async function readAccounts(texts: readonly Secret[]): Promise<Accounts> {
  const { "x-callers": callers } = await loadStatesCatalogue();
  const found = new Map<string, Account>();
  for (const text of await linesOf(texts)) {
    const { caller, account } = parseAccount(text.reveal(), Object.keys(callers));
    if (found.has(caller)) throw new CouldNotRunError(`There are two accounts of ${caller}`);
    found.set(caller, account);
  }
  return Object.fromEntries(found);
}

async function linesOf(texts: readonly Secret[]): Promise<Secret[]> {
  const lines = texts.map(async (text): Promise<Secret[]> => {
    const given = text.reveal().trim();
    if (!given.startsWith("@")) return [createSecret(given)];
    const content = await readFile(given.slice(1), "utf8").catch((error: NodeJS.ErrnoException) => {
      // The message would quote the path, which may be a mistyped key.
      throw new CouldNotRunError(`The file of accounts cannot be read: ${error.code ?? "unknown error"}`);
    });
    const own = content.split(/\r?\n/).map((line) => line.trim());
    return own.filter((line) => line !== "" && !line.startsWith("#")).map(createSecret);
  });
  const all = (await Promise.all(lines)).flat();
  if (texts.length > 0 && all.length === 0) throw new CouldNotRunError(`There is no account: give ${form}`);
  return all;
}

function parseAccount(
  text: string,
  callers: readonly string[],
): { readonly caller: string; readonly account: Account } {
  const [, caller = plainCaller, email = "", key = ""] = /^(?:([a-z]+)=)?([^:\s]+@[^:\s]+):(\S+)$/.exec(text) ?? [];
  if (key === "") throw new CouldNotRunError(`An account is not ${form}`);
  if (!callers.includes(caller))
    throw new CouldNotRunError(`No account can be that of an unknown role; the roles are ${callers.join(", ")}`);
  return { caller, account: { email, key: createSecret(key) } };
}
