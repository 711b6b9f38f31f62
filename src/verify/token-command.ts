import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { CouldNotRunError } from "../base/could-not-run-error.js";
import { isObject } from "../base/is-object.js";
import { parseBoundedJson } from "../base/parse-json.js";
import { createSecret, type Secret } from "../secrets/secret.js";

/** A token that a command prints, renewed during a run. */
export interface RenewedToken {
  /** Reveals the newest token. */
  readonly secret: Secret;
  /** Every token so far, for masks. */
  readonly all: () => readonly string[];
  /** Resolves once the token is one that has not expired, as far as a token says so itself. */
  readonly keepFresh: () => Promise<void>;
  /** Runs the command again after a server refused the token. Resolves to whether there is another token. */
  readonly renew: () => Promise<boolean>;
}

/** How long the command may take. */
export const maxCommandMs = 60_000;
/** A younger token is not renewed when a server refuses it: another one would fare no better. */
const minAgeMs = 2_000;
/** How long before its expiry a token is renewed. */
const marginMs = 30_000;

/** Runs a command in a shell, and takes what it prints for a token. Rejects with a `CouldNotRunError` that quotes nothing of that. */
export async function createRenewedToken(command: string): Promise<RenewedToken> {
  const tokens = [await printedBy(command)];
  let runAt = Date.now();
  let running: Promise<boolean> | undefined;
  const newest = () => tokens.at(-1) ?? "";

  function runAgain(): Promise<boolean> {
    running ??= printedBy(command)
      .then(
        (token) => {
          const isNew = token !== newest();
          if (isNew) tokens.push(token);
          return isNew;
        },
        // The checks show that the old one no longer works.
        () => false,
      )
      .finally(() => {
        runAt = Date.now();
        running = undefined;
      });
    return running;
  }

  return {
    secret: createSecret(newest),
    all: () => tokens,
    keepFresh: async () => {
      const isOld = (expiryOf(newest()) ?? Number.POSITIVE_INFINITY) - marginMs < Date.now();
      if (running !== undefined || (isOld && Date.now() - runAt >= minAgeMs)) await runAgain();
    },
    renew: async () => (running !== undefined || Date.now() - runAt >= minAgeMs ? runAgain() : false),
  };
}

/** When a JSON web token expires, in milliseconds (RFC 7519, section 4.1.4). Undefined for any other token. */
function expiryOf(token: string): number | undefined {
  const [, payload = ""] = token.split(".");
  const claims = parseBoundedJson(Buffer.from(payload, "base64url").toString());
  return isObject(claims) && typeof claims.exp === "number" ? claims.exp * 1000 : undefined;
}

async function printedBy(command: string): Promise<string> {
  const child = spawn(command, { shell: true, stdio: ["ignore", "pipe", "inherit"], timeout: maxCommandMs });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  const [code, printed] = await Promise.all([ended, text(child.stdout)]);
  const token = printed.trim();
  if (code !== 0) throw new CouldNotRunError(`The command of --token-command ends with ${code ?? "a signal"}`);
  if (!/^\S+$/.test(token)) throw new CouldNotRunError("The command of --token-command must print one token");
  return token;
}
