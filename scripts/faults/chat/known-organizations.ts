import { basicCredentials } from "../../../src/verify/http/with-login.js";
import { headerOf, type WireRequest } from "./wire.js";

/** A user that a provider state created. */
export interface KnownUser {
  readonly organization: string;
  /** The caller's name in the provider states, such as `member`. */
  readonly caller: string;
  readonly userId: number;
  readonly email: string;
  readonly apiKey: string;
}

/** The values that a provider state returned, besides organization and credentials. */
export interface KnownValues {
  readonly organization: string;
  readonly state: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly values: Readonly<Record<string, unknown>>;
}

/** A record of what the provider states created, in place of the database that a faulty server would have. */
export interface KnownOrganizations {
  /** Records a setup. */
  readonly learn: (request: Buffer, response: Buffer) => void;
  /** Finds the caller of a request by the e-mail address in its credentials. */
  readonly callerOf: (request: WireRequest) => KnownUser | undefined;
  /** The check for which the organization of the caller, or at the address of the request, was set up. Undefined if unknown. */
  readonly checkOf: (request: WireRequest) => string | undefined;
  /** The users of an organization. */
  readonly usersOf: (organization: string) => readonly KnownUser[];
  /** The users of the caller's organization, with the caller. */
  readonly colleaguesOf: (request: WireRequest) => readonly KnownUser[];
  /** A user of the caller's organization, by the name in the provider states. */
  readonly colleagueOf: (request: WireRequest, caller: string) => KnownUser | undefined;
  /** What the states of the caller's organization were set up with and returned, newest first. */
  readonly setupsOf: (request: WireRequest) => readonly KnownValues[];
  /** The owner of the organization in which a state returned this id under this name, if any. */
  readonly ownerOf: (name: string, id: unknown) => KnownUser | undefined;
}

/** Creates an empty record. */
export function createKnownOrganizations(): KnownOrganizations {
  const users: KnownUser[] = [];
  const values: KnownValues[] = [];
  const checks = new Map<string, string>();
  const callerOf = (request: WireRequest) => {
    const email = credentialsOf(request)?.email;
    return email === undefined ? undefined : users.find((user) => user.email === email);
  };
  const usersOf = (organization: string) => users.filter((user) => user.organization === organization);
  const colleaguesOf = (request: WireRequest) => usersOf(callerOf(request)?.organization ?? "");
  return {
    learn: (request, response) => {
      const { state, params = {}, check }: StatesRequest = JSON.parse(String(request));
      const { organization, credentials = {}, ...rest }: StatesResponse = JSON.parse(String(response));
      if (organization === undefined) return;
      values.unshift({ organization, state, params, values: rest });
      if (check !== undefined) checks.set(organization, check);
      for (const [caller, { user_id: userId, email, api_key: apiKey }] of Object.entries(credentials)) {
        if (users.some((user) => user.email === email)) continue;
        users.unshift({ organization, caller, userId, email, apiKey });
      }
    },
    callerOf,
    checkOf: (request) => {
      const host = headerOf(request, "X-Forwarded-Host");
      const at = host === undefined ? undefined : values.find((one) => one.values.host === host);
      return checks.get(callerOf(request)?.organization ?? at?.organization ?? "");
    },
    usersOf,
    colleaguesOf,
    colleagueOf: (request, caller) => colleaguesOf(request).find((user) => user.caller === caller),
    setupsOf: (request) => {
      const organization = callerOf(request)?.organization;
      return values.filter((one) => one.organization === organization);
    },
    ownerOf: (name, id) => {
      if (typeof id !== "number" && typeof id !== "string") return undefined;
      const made = values.find((one) => [one.values[name]].flat().some((value) => String(value) === String(id)));
      return users.find(({ organization, caller }) => organization === made?.organization && caller === "owner");
    },
  };
}

interface StatesRequest {
  readonly state: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly check?: string;
}

interface StatesResponse {
  readonly organization?: string;
  readonly credentials?: Readonly<Record<string, { user_id: number; email: string; api_key: string }>>;
  readonly [value: string]: unknown;
}

/** The e-mail address and key of a request; undefined if it has no such credentials. */
export function credentialsOf(request: WireRequest): { readonly email: string; readonly key: string } | undefined {
  const [, encoded = ""] = /^Basic (.+)$/i.exec(headerOf(request, "Authorization") ?? "") ?? [];
  const [, email, key] = /^([^:]+):(.*)$/s.exec(Buffer.from(encoded, "base64").toString()) ?? [];
  return email === undefined || key === undefined ? undefined : { email, key };
}

/** The `Authorization` header of a user. */
export function authorizationOf({ email, apiKey }: Pick<KnownUser, "email" | "apiKey">): string {
  return basicCredentials(email, apiKey);
}
