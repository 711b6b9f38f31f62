/** How users log in to the server, apart from e-mail address and API key. Only a provider state changes it. */
export interface LoginMethods {
  ldap: boolean;
  /** In display order. */
  external: readonly ExternalMethod[];
}

/** A login at an external provider. */
export interface ExternalMethod {
  readonly name: string;
  readonly display_name: string;
  readonly display_icon: string | null;
}

/** The methods of a new server: none. */
export function createLoginMethods(): LoginMethods {
  return { ldap: false, external: [] };
}
