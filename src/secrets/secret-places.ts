/** Where the requests of a contract carry secrets, by the names that it gives them. */
export interface SecretPlaces {
  /** In lower case. */
  readonly headers: readonly string[];
  /** Parameters of the query string. */
  readonly query: readonly string[];
  readonly cookies: readonly string[];
}

/** A contract without API keys. */
export const noSecretPlaces: SecretPlaces = { headers: [], query: [], cookies: [] };
