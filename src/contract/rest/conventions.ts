import type { Matcher } from "../matcher.js";

/** What a contract says in `accord.yaml`, besides its OpenAPI document. */
export interface Conventions {
  /** What every success has, by JSON pointers to members of the body, with their values. Servers add it, so handlers leave it out. */
  readonly success?: Readonly<Record<string, unknown>>;
  /** The API's own errors. */
  readonly error?: ErrorConvention;
  /** Where a server reports its feature level. */
  readonly level?: LevelConvention;
  /** The fields of a caller's credentials in the answers of provider states. Defaults to `defaultFields`. */
  readonly credentials?: Partial<CredentialFields>;
  /** Who calls if a case does not say. Defaults to `caller`. */
  readonly caller?: string;
  /** Values of parameters that the server has, by the name of the parameter or the path up to it, such as `/orders/{id}`. */
  readonly values?: Readonly<Record<string, unknown>>;
}

/** How the errors of an API look. */
export interface ErrorConvention {
  /** What every error has, by JSON pointers. A body without it comes from something else than the API. */
  readonly body?: Readonly<Record<string, Matcher>>;
  /** A JSON pointer to the code of an error. */
  readonly code?: string;
  /** The name of the schema for errors whose code has no schema of its own. */
  readonly other?: string;
}

/** The operation that reports the feature level, and JSON pointers into its response. */
export interface LevelConvention {
  readonly call: string;
  readonly at: string;
  /** Where the version of the server's software is. */
  readonly version?: string;
}

/** The fields for each type of security scheme: Basic, bearer tokens and OAuth, API keys. */
export interface CredentialFields {
  readonly username: string;
  readonly password: string;
  readonly token: string;
  readonly key: string;
}

const defaultFields: CredentialFields = { username: "username", password: "password", token: "token", key: "key" };

/** A document with what `accord.yaml` says about it. */
export interface WithConventions {
  readonly "x-accord"?: Conventions;
}

/** The conventions of a contract. */
export function conventionsOf(document: WithConventions): Conventions {
  return document["x-accord"] ?? {};
}

/** Who calls if a case does not say. */
export function plainCaller(document: WithConventions): string {
  return conventionsOf(document).caller ?? "caller";
}

/** The accounts that a run without provider states can have: that of most checks, and that of somebody else. */
export function accountCallers(document: WithConventions): string[] {
  return [plainCaller(document), "other"];
}

/** The names of the fields of credentials that are secret. */
export function secretFields({ password, token, key }: CredentialFields): string[] {
  return [...new Set([password, token, key])];
}

/** Whether the names of users are e-mail addresses, as the name of their field says. */
export function areEmails({ username }: CredentialFields): boolean {
  return /(?:^|_)e_?mail$/i.test(username);
}

/** The names of the fields of credentials. */
export function credentialFields(document: WithConventions): CredentialFields {
  return { ...defaultFields, ...conventionsOf(document).credentials };
}
