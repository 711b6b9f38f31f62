import { readFile } from "node:fs/promises";
import { CouldNotRunError } from "../../base/could-not-run-error.js";
import {
  accountCallers,
  areEmails,
  type CredentialFields,
  credentialFields,
  plainCaller,
} from "../../contract/rest/conventions.js";
import type { ContractDocument } from "../../contract/rest/document.js";
import type { RestContract } from "../../contract/rest/rest-contract.js";
import { loginKinds } from "../../contract/rest/security.js";
import { callersOf } from "../../contract/rest/states.js";
import { createSecret, type Secret } from "../../secrets/secret.js";
import type { Credentials } from "../states/callers.js";
import type { RenewedToken } from "../token-command.js";

/** An account of a real organization: the name and password of a user, or only a token or key. */
export interface Account {
  readonly name?: string;
  readonly secret: Secret;
  /** If a command prints the token, what renews it. */
  readonly token?: RenewedToken;
}

/** Accounts by the caller of the provider states that each stands for, such as `member`. */
export type Accounts = Readonly<Record<string, Account>>;

/** What a caller logs in with, in the form in which provider states return it: a name and a password, or a token that is a key as well. */
export function accountCredentials({ name, secret }: Account, fields: CredentialFields): Credentials {
  const { username, password, token, key } = fields;
  return name === undefined
    ? { [token]: secret.reveal(), [key]: secret.reveal() }
    : { [username]: name, [password]: secret.reveal() };
}

/**
 * Reads accounts: `NAME:PASSWORD` of the caller of most checks, or only a token or key if the API takes those; with `CALLER=` in front, those
 * of another caller; or `@FILE` with one of them per line, in which lines that begin with `#` are comments. Rejects with a
 * `CouldNotRunError` that quotes nothing but the names of files and callers.
 */
export async function readAccounts(
  texts: readonly Secret[],
  { document, states }: Pick<RestContract, "document" | "states">,
): Promise<Accounts> {
  const plain = plainCaller(document);
  const { hasNames, hasTokens } = waysOf(document);
  const form = {
    plain,
    callers: [...new Set(callersOf(states).length === 0 ? accountCallers(document) : [plain, ...callersOf(states)])],
    name: hasNames ? (areEmails(credentialFields(document)) ? /^[^:\s]+@[^:\s]+$/ : /^[^:\s]+$/) : undefined,
    hasTokens,
    text: formOf(document),
  };
  const found = new Map<string, Account>();
  for (const text of await linesOf(texts, form)) {
    const { caller, account } = parseAccount(text.reveal(), form);
    if (found.has(caller)) throw new CouldNotRunError(`There are two accounts of ${caller}`);
    found.set(caller, account);
  }
  return Object.fromEntries(found);
}

/** How accounts are written. */
interface AccountForm {
  readonly plain: string;
  readonly callers: readonly string[];
  /** Matches the name of a user. Undefined if there are only secrets. */
  readonly name: RegExp | undefined;
  /** Whether secrets alone are accounts. */
  readonly hasTokens: boolean;
  /** The form in words. */
  readonly text: string;
}

/** Whether requests may carry names with passwords, and whether they may carry tokens or keys. */
function waysOf(document: ContractDocument): { readonly hasNames: boolean; readonly hasTokens: boolean } {
  const hasNames = loginKinds(document).has("basic");
  return { hasNames, hasTokens: !hasNames || loginKinds(document).size > 1 };
}

/** How the account of a caller is written, such as `EMAIL:KEY` or `TOKEN`. */
export function accountForm(document: ContractDocument): string {
  const { username, password } = credentialFields(document);
  const { hasNames, hasTokens } = waysOf(document);
  const named = `${username}:${password.split("_").at(-1)}`.toUpperCase();
  return [hasNames ? named : [], hasTokens ? "TOKEN" : []].flat().join(" or ");
}

function formOf(document: ContractDocument): string {
  const account = accountForm(document);
  return `${account}, CALLER=${account} or @FILE with one of them per line`;
}

async function linesOf(texts: readonly Secret[], form: AccountForm): Promise<Secret[]> {
  const lines = texts.map(async (text): Promise<Secret[]> => {
    const given = text.reveal().trim();
    if (!given.startsWith("@")) return [createSecret(given)];
    const content = await readFile(given.slice(1), "utf8").catch((error: NodeJS.ErrnoException) => {
      // What does not look like the path of a file may be a mistyped key.
      const path = given.slice(1);
      const file = /^[\w./-]+\.[a-z]{2,5}$/.test(path) ? path : "of accounts";
      throw new CouldNotRunError(`The file ${file} cannot be read: ${error.code ?? "unknown error"}`);
    });
    const own = content.split(/\r?\n/).map((line) => line.trim());
    return own.filter((line) => line !== "" && !line.startsWith("#")).map(createSecret);
  });
  const all = (await Promise.all(lines)).flat();
  if (texts.length > 0 && all.length === 0) throw new CouldNotRunError(`There is no account: give ${form.text}`);
  return all;
}

function parseAccount(
  text: string,
  { plain, callers, name: isName, hasTokens, text: form }: AccountForm,
): { readonly caller: string; readonly account: Account } {
  const [, named, rest = ""] = /^(?:([a-z]+)=)?(.*)$/s.exec(text) ?? [];
  if (isName === undefined || (hasTokens && !rest.includes(":"))) {
    // A token may look as if it began with a caller.
    const caller = named !== undefined && callers.includes(named) ? named : plain;
    const secret = named !== undefined && callers.includes(named) ? rest : text;
    if (!/^\S+$/.test(secret)) throw new CouldNotRunError(`An account is not ${form}`);
    return { caller, account: { secret: createSecret(secret) } };
  }
  const [, name = "", secret = ""] = /^([^:\s]+):(\S+)$/.exec(rest) ?? [];
  if (!isName.test(name)) throw new CouldNotRunError(`An account is not ${form}`);
  const caller = named ?? plain;
  if (!callers.includes(caller))
    throw new CouldNotRunError(`No account can be that of an unknown caller; the callers are ${callers.join(", ")}`);
  return { caller, account: { name, secret: createSecret(secret) } };
}
