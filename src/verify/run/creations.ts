import { parseUrl } from "../../base/parse-url.js";
import { percentEncode } from "../../base/percent-encode.js";
import type { CreatedThing } from "../../report/model/json-report.js";

/** How many things a run removes at its end, and how long that may take in milliseconds. */
export const maxRemoved = 1000;
export const maxRemovingMs = 20_000;

/** Notes what a run creates and removes, so that a report can name what is left. */
export interface Creations {
  readonly note: (sent: { readonly method: string; readonly url: string }, answer: CreatingAnswer) => void;
  /** Notes a request that got no response. If it was to remove something, it may have, and is not sent again. */
  readonly noteLost: (sent: { readonly method: string; readonly url: string }) => void;
  /** What was created and not removed, in order. */
  readonly list: () => readonly CreatedThing[];
  /** What of that may be removed. `isSure`: only what the server surely made, so that nothing else is removed. */
  readonly removable: (of: { readonly isSure: boolean }) => readonly CreatedThing[];
}

/** The part of a response that may say that something was created. */
export interface CreatingAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

/** Creates the notes of a run. `itemPath` returns the path of one of the things that a path lists, with `{}` for its id. */
export function createCreations(itemPath: (path: string) => string | undefined = () => undefined): Creations {
  const left = new Map<string, CreatedThing & { readonly isSure: boolean }>();
  const lost = new Set<string>();
  return {
    note: ({ method, url }, answer) => {
      const { pathname } = new URL(url);
      const isGone = (answer.status >= 200 && answer.status < 300) || answer.status === 404 || answer.status === 410;
      if (method === "DELETE" && isGone) left.delete(pathname);
      const thing = createdBy(method, url, answer, itemPath);
      if (thing !== undefined)
        left.set(thing, { request: `${method} ${pathname}`, thing, isSure: isSure(thing, answer) });
    },
    noteLost: ({ method, url }) => {
      if (method === "DELETE") lost.add(new URL(url).pathname);
    },
    list: () =>
      [...left.values()].map(({ request, thing }) => ({
        request,
        thing: lost.has(thing) ? `${thing} (perhaps: its removal got no response)` : thing,
      })),
    removable: (of) =>
      [...left.values()]
        .filter(({ thing, isSure }) => (isSure || !of.isSure) && !lost.has(thing))
        .map(({ isSure: _, ...thing }) => thing),
  };
}

/**
 * The path of what a request created: where `Location` points to (RFC 9110, section 10.2.2), the URL that was put, or that of the list with
 * the id in the response. Undefined if the response names nothing new.
 */
function createdBy(
  method: string,
  url: string,
  { status, headers, body }: CreatingAnswer,
  itemPath: (path: string) => string | undefined,
): string | undefined {
  if (status < 200 || status >= 300 || (method !== "POST" && method !== "PUT")) return undefined;
  const { pathname } = new URL(url);
  const location = headers.get("location");
  const target = location === null ? undefined : parseUrl(location, url);
  if (target !== undefined) return target.pathname;
  if (method === "PUT") return status === 201 ? pathname : undefined;
  const id = idIn(body);
  const place = pathname.replace(/\/+$/, "");
  if (id !== undefined) return (itemPath(place) ?? `${place}/{}`).replace("{}", () => percentEncode(id));
  return status === 201 ? `something without an id, below ${pathname}` : undefined;
}

/** Whether a thing is new (status 201), and body and `Location` agree on its id: a wrong `Location` leads to what was there before. */
function isSure(thing: string, { status, body }: CreatingAnswer): boolean {
  const id = idIn(body);
  return status === 201 && id !== undefined && thing.endsWith(`/${percentEncode(id)}`);
}

/** The id of what a body describes: `id`, or the only member whose name ends like one. */
export function idIn(body: unknown): string | undefined {
  const entries = Object.entries(typeof body === "object" && body !== null && !Array.isArray(body) ? body : {});
  const ids = entries.filter(([, value]) => typeof value === "number" || (typeof value === "string" && value !== ""));
  const own = ids.find(([name]) => /^(?:id|uuid)$/i.test(name));
  const others = ids.filter(([name]) => /(?:_id|Id|ID)$/.test(name));
  const [, value] = own ?? (others.length === 1 ? (others[0] ?? []) : []);
  return value === undefined ? undefined : String(value);
}
