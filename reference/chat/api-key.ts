import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { createSecret, type Secret } from "../../src/chat/server/index.js";

/** Makes a random API key of 32 letters and digits. */
export function createApiKey(): Secret {
  return createSecret(randomBytes(24).toString("base64url").replaceAll("-", "a").replaceAll("_", "b"));
}

/** What is stored of a key. Keys are random and long, so a plain hash cannot be turned back. */
export function hashApiKey(key: Secret): Uint8Array {
  return createHash("sha256").update(key.reveal()).digest();
}

/** Whether two hashes are the same; takes the same time wherever they differ. */
export function isSameHash(one: Uint8Array, other: Uint8Array): boolean {
  return timingSafeEqual(one, other);
}
