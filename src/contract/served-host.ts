/** A host that responds with content. */
export interface ContentHost {
  readonly kind: "content";
  /** Defaults to 200. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
  readonly encoding?: "base64";
  /** Whether http and https URLs in the body lead to this host, so that it notices if they are fetched. */
  readonly localized?: true;
}

/** The behaviour of a host of the run, for every path. */
export type ServedHost =
  | ContentHost
  /** Responds according to the path of the URL, without the query; 404 for other paths. */
  | { readonly kind: "paths"; readonly paths: Readonly<Record<string, ContentHost>> }
  | {
      readonly kind: "redirect";
      /** Defaults to 302. */
      readonly status?: number;
      readonly location: string;
      readonly then: ServedHost;
      /** Whether `location` leads to another origin. */
      readonly elsewhere?: true;
    }
  /** Redirects every request. */
  | { readonly kind: "loop"; readonly location: string }
  /** Sends the body without a pause, again and again. */
  | { readonly kind: "endless"; readonly body: string }
  /** Sends a character of the body every half second, again and again. */
  | { readonly kind: "slow"; readonly body: string }
  | { readonly kind: "silent" }
  | { readonly kind: "refused" }
  | { readonly kind: "unknown" }
  | { readonly kind: "cut"; readonly body: string }
  | { readonly kind: "garbage"; readonly body: string };

/** Whether a host never completes its response, so that the server must end the wait by a limit of its own. */
export function neverEnds({ kind }: ServedHost): boolean {
  return kind === "silent" || kind === "slow";
}

/** Whether a host accepts connections. */
export function takesRequests({ kind }: ServedHost): boolean {
  return kind !== "refused" && kind !== "unknown";
}
