import { basicCredentials } from "../../../src/verify/chat/states/callers.js";
import { headerOf, type WireRequest } from "./wire.js";

/** A user that a provider state has made. */
export interface KnownUser {
  readonly organization: string;
  /** The name of the caller in the states, such as `member`. */
  readonly caller: string;
  readonly userId: number;
  readonly email: string;
  readonly apiKey: string;
}

/** What a provider state has returned, besides organization and credentials. */
export interface KnownValues {
  readonly organization: string;
  readonly state: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly values: Readonly<Record<string, unknown>>;
}

/** What the provider states have made. A faulty server has a database to look into; a fault before a server has this. */
export interface KnownOrganizations {
  /** Takes in a setup. */
  readonly learn: (request: Buffer, answer: Buffer) => void;
  /** Who makes a request, by the e-mail address in its credentials. */
  readonly callerOf: (request: WireRequest) => KnownUser | undefined;
  readonly usersOf: (organization: string) => readonly KnownUser[];
  /** What the states of an organization have returned, the newest first. */
  readonly valuesOf: (organization: string) => readonly KnownValues[];
  /** The owner of the organization in which a state has returned an id under a name; undefined when none has. */
  readonly ownerOf: (name: string, id: unknown) => KnownUser | undefined;
}

/** Makes a memory of organizations that is empty. */
export function createKnownOrganizations(): KnownOrganizations {
  const users: KnownUser[] = [];
  const values: KnownValues[] = [];
  return {
    learn: (request, answer) => {
      const { state, params = {} }: { state: string; params?: Record<string, unknown> } = JSON.parse(String(request));
      const { organization, credentials = {}, ...rest }: StatesAnswer = JSON.parse(String(answer));
      if (organization === undefined) return;
      values.unshift({ organization, state, params, values: rest });
      for (const [caller, { user_id: userId, email, api_key: apiKey }] of Object.entries(credentials)) {
        if (users.some((user) => user.email === email)) continue;
        users.unshift({ organization, caller, userId, email, apiKey });
      }
    },
    callerOf: (request) => {
      const email = credentialsOf(request)?.email;
      return email === undefined ? undefined : users.find((user) => user.email === email);
    },
    usersOf: (organization) => users.filter((user) => user.organization === organization),
    valuesOf: (organization) => values.filter((one) => one.organization === organization),
    ownerOf: (name, id) => {
      if (typeof id !== "number" && typeof id !== "string") return undefined;
      const made = values.find((one) => [one.values[name]].flat().some((value) => String(value) === String(id)));
      return users.find(({ organization, caller }) => organization === made?.organization && caller === "owner");
    },
  };
}

interface StatesAnswer {
  readonly organization?: string;
  readonly credentials?: Readonly<Record<string, { user_id: number; email: string; api_key: string }>>;
  readonly [value: string]: unknown;
}

/** Address and key that a request carries; undefined when it carries none of this form. */
export function credentialsOf(request: WireRequest): { readonly email: string; readonly key: string } | undefined {
  const [, encoded = ""] = /^Basic (.+)$/i.exec(headerOf(request, "Authorization") ?? "") ?? [];
  const [, email, key] = /^([^:]+):(.*)$/s.exec(Buffer.from(encoded, "base64").toString()) ?? [];
  return email === undefined || key === undefined ? undefined : { email, key };
}

/** The value of `Authorization` of a user. */
export function authorizationOf({ email, apiKey }: Pick<KnownUser, "email" | "apiKey">): string {
  return basicCredentials(email, apiKey);
}
