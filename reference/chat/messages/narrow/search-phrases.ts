import { invalidNarrow } from "./invalid-narrow.js";

/** Most words in all searches of one narrow, those in quoted phrases included. */
const mostWords = 32;
/** Most characters of all words and phrases of one narrow, in UTF-16 units. */
const mostCharacters = 1000;
/** A quoted phrase, which may lack its end, or a word. */
const phrase = /"([^"]*)"?|[^\s"]+/g;
/** What the tokenizer of the index takes for part of a word (unicode61). */
const tokenCharacter = /[\p{L}\p{N}\p{Co}]/u;
const token = /[\p{L}\p{M}\p{N}\p{Co}]+/gu;

/** The words and quoted phrases of a search that have something to look for. */
export function readPhrases(text: string): string[] {
  return Array.from(text.matchAll(phrase), ([word, quoted]) => quoted ?? word).filter((one) =>
    tokenCharacter.test(one),
  );
}

/** Throws the refusal of more words than one request may search for. */
export function boundPhrases(phrases: readonly string[]): void {
  const characters = phrases.reduce((sum, { length }) => sum + length, 0);
  if (countWords(phrases) > mostWords || characters > mostCharacters) {
    throw invalidNarrow(`a search may have ${mostWords} words and ${mostCharacters} characters`);
  }
}

/** How many words of the index these phrases are made of. */
export function countWords(phrases: readonly string[]): number {
  return phrases.reduce((sum, text) => sum + (text.match(token)?.length ?? 0), 0);
}

/** Whether a phrase is one word of the index for sure. */
export function isOneWord(text: string): boolean {
  return /^[a-z0-9]+$/i.test(text);
}
