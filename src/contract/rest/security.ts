import type { SecretPlaces } from "../../secrets/secret-places.js";
import { type CredentialFields, credentialFields, secretFields } from "./conventions.js";
import { type ContractDocument, type OperationObject, resolve } from "./document.js";

/** How requests carry credentials. OAuth 2 and OpenID Connect end in bearer tokens. Source: OpenAPI 3.1, "Security Scheme Object". */
export type LoginScheme = {
  /** The name of the scheme in the document. Credentials may have a field of this name, if two schemes of one kind differ. */
  readonly id: string;
} & (
  | { readonly kind: "basic" }
  /** `isOAuth` says that the token comes from OAuth 2 or OpenID Connect. */
  | { readonly kind: "bearer"; readonly isOAuth?: true }
  | { readonly kind: "key"; readonly in: "header" | "query" | "cookie"; readonly name: string }
);

interface SchemeObject {
  readonly type: string;
  readonly scheme?: string;
  readonly in?: "header" | "query" | "cookie";
  readonly name?: string;
}

/** The user name, and the password, token or key, of the caller `stranger`: nobody has them. A name in `.invalid` exists nowhere (RFC 2606). */
export const stranger = { name: "stranger@stranger.invalid", secret: "x".repeat(32) } as const;

/** How an operation takes credentials. */
export interface Login {
  /** Whether it refuses requests without them. */
  readonly isRequired: boolean;
  /** The schemes of the first alternative that consists of known ones only. Empty if there is none. */
  readonly schemes: readonly LoginScheme[];
  /** All alternatives that consist of known schemes only: a request needs every scheme of one of them. */
  readonly alternatives: readonly (readonly LoginScheme[])[];
}

/** Returns how an operation takes credentials. */
export function loginOf(
  document: ContractDocument,
  { security = document.security }: Pick<OperationObject, "security">,
): Login {
  const alternatives = security ?? [];
  const known = alternatives
    .map((alternative) => Object.keys(alternative).map((name) => schemeOf(document, name)))
    .filter((schemes): schemes is LoginScheme[] => schemes.length > 0 && schemes.every((one) => one !== undefined));
  const isOptional = alternatives.some((alternative) => Object.keys(alternative).length === 0);
  return { isRequired: alternatives.length > 0 && !isOptional, schemes: known[0] ?? [], alternatives: known };
}

/** How requests that no operation describes carry credentials: as most of the document does. */
export function documentLogin(document: ContractDocument): Login {
  const names = Object.keys((document.components.securitySchemes ?? {}) as object);
  return loginOf(document, { security: document.security ?? names.map((name) => ({ [name]: [] })) });
}

/** The kinds of the security schemes of a document. */
export function loginKinds(document: ContractDocument): ReadonlySet<LoginScheme["kind"]> {
  const names = Object.keys((document.components.securitySchemes ?? {}) as object);
  return new Set(names.flatMap((name) => schemeOf(document, name)?.kind ?? []));
}

/** Where requests carry the API keys of a document, whether or not an operation uses them. */
export function secretPlaces(document: ContractDocument): SecretPlaces {
  const schemes = Object.keys((document.components.securitySchemes ?? {}) as object).map((one) =>
    schemeOf(document, one),
  );
  const namesIn = (place: string) =>
    schemes.flatMap((one) => (one?.kind === "key" && one.in === place && one.name !== "" ? one.name : []));
  const headers = namesIn("header").map((name) => name.toLowerCase());
  return { headers, query: namesIn("query"), cookies: namesIn("cookie") };
}

/** The fields of a caller's credentials that most requests of a document need. */
export function loginFields(document: ContractDocument): string[] {
  const fields = credentialFields(document);
  const { schemes } = documentLogin(document);
  return schemes.flatMap((scheme) => [
    ...(scheme.kind === "basic" ? [fields.username] : []),
    secretField(scheme, fields),
  ]);
}

function schemeOf(document: ContractDocument, name: string): LoginScheme | undefined {
  const schemes = (document.components.securitySchemes ?? {}) as Record<string, SchemeObject | { $ref: string }>;
  const given = Object.hasOwn(schemes, name) ? schemes[name] : undefined;
  if (given === undefined) return undefined;
  const { type, scheme = "", in: place, name: key } = resolve<SchemeObject>(document, given);
  switch (type) {
    case "http":
      return /^(?:basic|bearer)$/i.test(scheme)
        ? { id: name, kind: scheme.toLowerCase() === "basic" ? "basic" : "bearer" }
        : undefined;
    case "oauth2":
    case "openIdConnect":
      return { id: name, kind: "bearer", isOAuth: true };
    case "apiKey":
      return place === undefined || key === undefined ? undefined : { id: name, kind: "key", in: place, name: key };
    default:
      return undefined;
  }
}

/** The names of the fields of a caller's credentials that are secret: those of the kinds of schemes, and of the schemes themselves. */
export function secretNames(document: ContractDocument): string[] {
  const names = Object.keys((document.components.securitySchemes ?? {}) as object);
  return [...new Set([...secretFields(credentialFields(document)), ...names])];
}

/** The names of the fields of credentials by which requests can log in, whatever the scheme. */
export function credentialNames(document: ContractDocument): string[] {
  return [...new Set([credentialFields(document).username, ...secretNames(document)])];
}

/** The alternative that credentials have every field for, or else the first. */
export function alternativeFor(
  alternatives: Login["alternatives"],
  credentials: Readonly<Record<string, unknown>>,
  fields: CredentialFields,
): readonly LoginScheme[] {
  return (
    alternatives.find((schemes) => schemes.every((one) => hasLogin(one, credentials, fields))) ?? alternatives[0] ?? []
  );
}

/** Whether credentials have the fields of a scheme. */
export function hasLogin(
  scheme: LoginScheme,
  credentials: Readonly<Record<string, unknown>>,
  fields: CredentialFields,
): boolean {
  const has = (name: string) => credentials[name] !== undefined;
  return scheme.kind === "basic"
    ? has(fields.username) && has(fields.password)
    : has(scheme.id) || has(secretField(scheme, fields));
}

/** The field of credentials that is secret in a scheme. */
export function secretField(scheme: LoginScheme | undefined, { password, token, key }: CredentialFields): string {
  switch (scheme?.kind) {
    case undefined:
    case "basic":
      return password;
    case "bearer":
      return token;
    case "key":
      return key;
  }
}
