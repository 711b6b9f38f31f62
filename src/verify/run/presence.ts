import type { Exchange } from "../../judge/exchange.js";

/** Whether a server has an operation. */
export type Presence =
  | { readonly kind: "there" }
  /**
   * No request tells: it answers every request in the same way, for example because none carries credentials; or none could be sent, which
   * `isUnasked` says, and `isRestricted` if that is because of what the run may do. `why` is a clause, such as `the server refuses every
   * call`. `parameters` are those of its path for which a value is missing that the server has; `missing` is why it would count as not
   * implemented if the server had their values.
   */
  | {
      readonly kind: "unknown";
      readonly isUnasked?: true;
      readonly isRestricted?: true;
      readonly why?: string;
      readonly parameters?: readonly string[];
      readonly missing?: string;
    }
  /** `why` is a phrase, such as `404, as for a path that no API has`. */
  | { readonly kind: "not-implemented"; readonly why: string };

/** The requests that tell whether a server has an operation. */
export interface PresenceRequests {
  /** The response to a valid request with credentials, if there are any. */
  readonly valid: Exchange;
  /** The same without credentials. Undefined if the operation needs none, or if `valid` has none. */
  readonly anonymous?: () => Promise<Exchange>;
  /** A request with the same method and credentials to a path that no API has. */
  readonly nowhere: () => Promise<Exchange>;
  /** Whether `valid` has a malformed id in its path. A router answers 404 to it, as to a path that no API has. Defaults to false. */
  readonly isMalformed?: boolean;
  /** Whether `valid` has a body that cannot be read. A server may refuse it before it looks at the path. Defaults to false. */
  readonly isUnreadable?: boolean;
}

/** Statuses by which a server says that it does not have an operation, or not with this method (RFC 9110, sections 15.5.6 and 15.6.2). */
const missing: ReadonlySet<number> = new Set([405, 501]);

/**
 * Finds out whether a server has an operation, before anything is judged.
 *
 * 405 and 501 say that it has not, and so does the response to a path that no API has, be it a success.
 * 404 may also be a refusal of an id: in the form of the API's own errors, it says so only if the same request without credentials gets
 * 404 as well, because an operation looks at credentials first. If the server may not have a value of the path, 404 says nothing, unless
 * it differs from that of any other path. Everything else is a response of the operation, right or wrong.
 */
export async function findPresence({
  valid: response,
  anonymous,
  nowhere,
  isMalformed = false,
  isUnreadable = false,
}: PresenceRequests): Promise<Presence> {
  const isOwn = response.contractProblems().length === 0;
  if (missing.has(Number(response.status))) return { kind: "not-implemented", why: `status ${response.status}` };
  const isLikeNowhere = alike(response, await nowhere());
  if (isMalformed && response.status === 404 && (isLikeNowhere || !isOwn)) return { kind: "unknown", isUnasked: true };
  if (isUnreadable && isLikeNowhere && response.status !== 404) return { kind: "unknown", isUnasked: true };
  const { madeUp = [], named = [], listed = [] } = response.unsure ?? {};
  const parameters = [...madeUp, ...named, ...listed];
  if (parameters.length > 0 && response.status === 404) {
    if (isOwn && !isLikeNowhere) return { kind: "there" };
    const missing = isLikeNowhere ? likeNowhere(response) : notOwn;
    return { kind: "unknown", parameters, ...(madeUp.length === 0 ? { missing } : {}) };
  }
  if (isLikeNowhere) {
    // A server that checks credentials first refuses any path without them.
    if (response.status === 401 || response.status === 403) return { kind: "unknown" };
    return { kind: "not-implemented", why: likeNowhere(response) };
  }
  if (response.status !== 404) return { kind: "there" };
  if (!isOwn) return { kind: "not-implemented", why: notOwn };
  const refused = await anonymous?.();
  if (refused?.status === 404) return { kind: "not-implemented", why: "status 404 to a valid request" };
  return { kind: "there" };
}

const notOwn = "status 404, with a body that is not the API's own";

function likeNowhere({ status }: Exchange): string {
  return `status ${status}, as for a path that no API has`;
}

/** Whether two responses differ only in the path or in numbers, such as times. */
function alike(one: Exchange, other: Exchange): boolean {
  const type = (exchange: Exchange) => exchange.headers.get("content-type");
  return one.status === other.status && type(one) === type(other) && shapeOf(one) === shapeOf(other);
}

function shapeOf({ text, path }: Exchange): string {
  return [path, decoded(path), path.slice(1)]
    .filter((part) => part !== "")
    .reduce((rest, part) => rest.replaceAll(part, ""), text)
    .replaceAll(/[0-9a-f]{6,}|\d+/gi, "0");
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
