import { randomBytes } from "node:crypto";
import type { Secret } from "../../src/chat/server/index.js";

/** The sessions of browsers. Only a provider state begins one, and they end with the process. */
export interface Sessions {
  /** Begins a session of a user. Returns the value of the header `Cookie`. */
  readonly begin: (userId: number) => string;
  /** The user of the session in a `Cookie` header; undefined if there is none. */
  readonly userOf: (cookie: Secret) => number | undefined;
}

/** Maximum sessions; the oldest end first. */
const maxSessions = 1000;

/** Creates an empty store of sessions. */
export function createSessions(): Sessions {
  const users = new Map<string, number>();
  return {
    begin: (userId) => {
      const token = randomBytes(24).toString("base64url");
      users.set(token, userId);
      const [oldest] = users.keys();
      if (users.size > maxSessions && oldest !== undefined) users.delete(oldest);
      return `session=${token}`;
    },
    userOf: (cookie) => {
      const [, token] = /(?:^|; ?)session=([\w-]+)/.exec(cookie.reveal()) ?? [];
      return token === undefined ? undefined : users.get(token);
    },
  };
}
