import { canAccessChannel, findChannel, findChannelByName } from "../../access/find-channel.js";
import { findVisibleUser, findVisibleUserByEmail } from "../../access/find-visible-user.js";
import { badRequest } from "../../refusals.js";
import type { Caller } from "../../services.js";
import type { Database } from "../../storage/database.js";
import { searchWords } from "../search-words.js";

/** Maximum number of users in all multi-user operands of one narrow. */
const maxUsers = 50;
const idPattern = /^\s*\d{1,15}\s*$/;

/** Reads a string operand. Throws a refusal for any other. */
export function readText(operator: string, operand: unknown): string {
  if (typeof operand !== "string") throw invalidNarrow(`the operand of ${operator} must be a string`);
  return operand;
}

/** Reads an operand that is one of several words. Throws a refusal for any other. */
export function readWord<const Word extends string>(operator: string, operand: unknown, words: readonly Word[]): Word {
  const word = words.find((one) => one === operand);
  if (word === undefined) throw invalidNarrow(`the operand of ${operator} must be one of ${words.join(", ")}`);
  return word;
}

/**
 * Reads an operand that is a channel name or id; a string is tried as a name first. Throws the same refusal for an unknown and
 * for an inaccessible channel.
 */
export async function readChannel(
  database: Database,
  { user }: Caller,
  operator: string,
  operand: unknown,
): Promise<number> {
  const named = typeof operand === "string" ? await findChannelByName(database, user, operand) : undefined;
  const id = toId(operand);
  const channel = named ?? (id === undefined ? undefined : await findChannel(database, user, id));
  if (channel === undefined || !(await canAccessChannel(database, user, channel))) {
    throw invalidNarrow(`the operand of ${operator} is not a channel`);
  }
  return channel.id;
}

/** Reads an operand that is a user: an id, a visible e-mail address, or `me`. Throws a refusal for an unknown user. */
export async function readUser(
  database: Database,
  { user, realm }: Caller,
  operator: string,
  operand: unknown,
): Promise<number> {
  if (operand === "me") return user.id;
  const id = toId(operand);
  const found =
    id !== undefined
      ? await findVisibleUser(database, user, id)
      : typeof operand === "string"
        ? await findVisibleUserByEmail(database, user, realm, operand.trim())
        : undefined;
  if (found === undefined) throw invalidNarrow(`the operand of ${operator} is not a user`);
  return found.id;
}

/** Throws a refusal if a narrow names too many users, because each of them is looked up. */
export function checkUserCount(operands: readonly unknown[]): void {
  const count = operands.reduce<number>((sum, operand) => sum + toList(operand).length, 0);
  if (count > maxUsers) throw invalidNarrow(`it names more than ${maxUsers} users`);
}

/** Reads an operand that is one user, a list, which may be empty, or a comma-separated string. Throws a refusal for an unknown user. */
export async function readUsers(
  database: Database,
  caller: Caller,
  operator: string,
  operand: unknown,
): Promise<number[]> {
  const ids = new Set<number>();
  for (const one of toList(operand)) ids.add(await readUser(database, caller, operator, one));
  return [...ids];
}

function toList(operand: unknown): unknown[] {
  return Array.isArray(operand) ? operand : typeof operand === "string" ? operand.split(",") : [operand];
}

function toId(operand: unknown): number | undefined {
  if (typeof operand === "number") return Number.isSafeInteger(operand) ? operand : undefined;
  return typeof operand === "string" && idPattern.test(operand) ? Number(operand) : undefined;
}

/** Maximum words in all searches of one narrow, including those in quoted phrases. */
const maxWords = 32;
/** Maximum length of all words and phrases of one narrow, in UTF-16 units. */
const maxCharacters = 1000;
/** A quoted phrase, whose closing quote may be missing, or a word. */
const phrase = /"([^"]*)"?|[^\s"]+/g;
/** Splits a search into words and quoted phrases, dropping those without a letter or digit. */
export function readPhrases(text: string): string[] {
  return Array.from(text.matchAll(phrase), ([word, quoted]) => quoted ?? word).filter(
    (one) => searchWords(one).length > 0,
  );
}

/** Throws a refusal if a request searches for too many words. */
export function checkPhraseLength(phrases: readonly string[]): void {
  const characters = phrases.reduce((sum, { length }) => sum + length, 0);
  const words = phrases.reduce((sum, one) => sum + searchWords(one).length, 0);
  if (words > maxWords || characters > maxCharacters) {
    throw invalidNarrow(`a search may have at most ${maxWords} words and ${maxCharacters} characters`);
  }
}

/** The refusal of an invalid narrow. */
export function invalidNarrow(reason: string): ReturnType<typeof badRequest> {
  return badRequest(`Invalid narrow: ${reason}`);
}
