import { createFinder } from "../mask/find-spellings.js";

/** Texts that hold many encodings are read in so many ways at most. */
const mostReadings = 24;

/**
 * Makes a function that tells which of the secrets show in a text: as they are, percent-encoded (also twice, and
 * with `+` for a space), escaped as in JSON, programs or HTML, in base64, as hex digits or as a list of decimal numbers, alone or
 * within a longer text such as `user:password` or a whole URL, and wholly in upper or lower case when it has ten characters or more.
 * Source: proto/README.md, section "Spellings of a secret".
 *
 * A secret should have six characters or more: shorter ones are found by accident.
 */
export function createSecretFinder(secrets: readonly string[]): (text: string) => string[] {
  const findAny = createFinder(secrets.flatMap(spellingsOf));
  const finders = secrets.map((secret) => ({ secret, find: createFinder(spellingsOf(secret)) }));
  return (text) => {
    const telling = readings(text).filter((reading) => findAny(reading).length > 0);
    return finders
      .filter(({ find }) => telling.some((reading) => find(reading).length > 0))
      .map(({ secret }) => secret);
  };
}

/** How a secret may be written in a text that is then put into base64. */
function spellingsOf(secret: string): string[] {
  const encoded = encodeURIComponent(secret);
  return [...new Set([secret, encoded, encoded.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())])];
}

const decoders: readonly ((text: string) => string)[] = [
  (text) => text.replace(/(?:%[0-9a-f]{2})+/gi, (run) => fromHex(run.replaceAll("%", ""))),
  (text) =>
    text
      .replace(/(?:\\x[0-9a-f]{2})+/gi, (run) => fromHex(run.replace(/\\x/gi, "")))
      .replace(/(?:\\[0-3][0-7]{2})+/g, (run) => Buffer.from(run.slice(1).split("\\").map(fromOctal)).toString())
      .replace(/\\u(?:\{([0-9a-f]{1,6})\}|([0-9a-f]{4}))/gi, (_, long: string | undefined, short: string | undefined) =>
        fromCodePoint(Number.parseInt(long ?? short ?? "", 16)),
      )
      .replace(/\\(.)/g, "$1"),
  (text) =>
    text
      .replace(/&#x([0-9a-f]{1,5});/gi, (_, digits: string) => fromCodePoint(Number.parseInt(digits, 16)))
      .replace(/&#(\d{1,6});/g, (_, digits: string) => fromCodePoint(Number(digits)))
      .replaceAll("&amp;", "&"),
];

/** The text as it is, decoded, decoded again, and so on. */
function readings(text: string): string[] {
  const found = new Set([text]);
  // A set hands out what is added while it is gone through.
  for (const reading of found) {
    for (const decode of decoders) if (found.size < mostReadings) found.add(decode(reading));
  }
  return [...found];
}

function fromHex(digits: string): string {
  return Buffer.from(digits, "hex").toString();
}

function fromOctal(digits: string): number {
  return Number.parseInt(digits, 8);
}

function fromCodePoint(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : "\ufffd";
}
