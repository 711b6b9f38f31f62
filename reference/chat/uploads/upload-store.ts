import { randomBytes } from "node:crypto";
import type { Readable } from "node:stream";
import type { Database } from "../storage/database.js";

/** The bytes of uploads. Their names are random; client input never becomes part of one. */
export interface UploadStore {
  /** Folder of files being received by this server. */
  readonly spoolFolder: string;
  /** The same store for use in a transaction. */
  readonly within: (transaction: Database) => UploadStore;
  /** Stores bytes of an organization durably. Resolves to the name for the other functions. */
  readonly store: (realmId: number, bytes: Uint8Array) => Promise<string>;
  /** Takes over a complete file under a new name. */
  readonly adopt: (realmId: number, file: string) => Promise<string>;
  /** Resolves to the bytes; undefined if they are missing. */
  readonly read: (storedAs: string) => Promise<Readable | undefined>;
  /** Removes an upload, if it exists. */
  readonly remove: (storedAs: string) => Promise<void>;
  readonly close: () => void | Promise<void>;
}

/** Creates the name of a complete upload: the id of its organization, and a random part. */
export function createStoredName(realmId: number, random = randomBytes(16).toString("hex")): string {
  return `${realmId}-${random}`;
}

/** Whether a text is the name of a complete upload. */
export function isStoredName(name: string): boolean {
  return /^[1-9]\d{0,15}-[0-9a-f]{32}$/.test(name);
}

/** The organization of a complete upload. */
export function realmOfStored(name: string): number {
  return Number.parseInt(name, 10);
}
