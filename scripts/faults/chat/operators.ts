import type { CallerName } from "../../../generated/chat/states.js";
import { parseJson } from "../../../src/base/parse-json.js";
import type { Behaviour } from "./behaviour.js";
import {
  type About,
  always,
  changesJson,
  changesParameters,
  changesRequest,
  changesResponse,
  changesSuccess,
  holdersOf,
  type On,
  remembers,
} from "./changes.js";
import { has, type When } from "./conditions.js";
import type { KnownOrganizations, KnownUser } from "./known-organizations.js";
import { failure, isError, type Json, jsonOf, parametersOf, success } from "./messages.js";
import { asUser } from "./requests.js";
import { headerOf, type WireRequest, type WireResponse, withHeader } from "./wire.js";

// A path names fields of a response: `messages[].reactions[].user_id`.

/** Omits fields of responses. */
export function omits(on: On, ...paths: readonly string[]): Behaviour {
  return changesJson(on, (body) => {
    for (const path of paths) for (const [holder, key] of holdersOf(body, path)) delete holder[key];
  });
}

/** Returns a value in a field of successes. */
export function returns(on: On, path: string, value: unknown): Behaviour {
  return changesSuccess(on, (body) => {
    for (const [holder, key] of holdersOf(body, path)) holder[key] = value;
  });
}

/** Returns a value in a field of successes that lack it. */
export function adds(on: On, path: string, value: unknown): Behaviour {
  return changesSuccess(on, (body) => {
    for (const [holder, key] of holdersOf(body, path)) holder[key] ??= value;
  });
}

/** Changes a field of the responses that have it. An undefined value omits it. */
export function changes(
  on: On,
  path: string,
  change: (value: unknown, holder: Json, about: About) => unknown,
): Behaviour {
  return changesJson(on, (body, about) => {
    for (const [holder, key] of holdersOf(body, path)) {
      if (key in holder) holder[key] = change(holder[key], holder, about);
    }
  });
}

/** Returns other statuses, by the honest ones. */
export function returnsStatus(on: On, statuses: Readonly<Record<number, number>>): Behaviour {
  return changesResponse(on, (response) => ({ ...response, status: statuses[response.status] ?? response.status }));
}

/** Returns another value of a header, or omits it. */
export function returnsHeader(on: On, name: string, value?: string): Behaviour {
  return changesResponse(on, (response) => withHeader(response, name, value));
}

/** Ignores a parameter. */
export function ignores(on: On, name: string, when: When = has(name)): Behaviour {
  return changesParameters(on, (parameters, ...rest) => {
    if (when(parameters, ...rest)) parameters.delete(name);
  });
}

/** Reads a value into a parameter that the request lacks. */
export function assumes(on: On, name: string, value: string, when: When = () => true): Behaviour {
  return changesParameters(on, (parameters, ...rest) => {
    if (!parameters.has(name) && when(parameters, ...rest)) parameters.set(name, value);
  });
}

/** Reads another value from parameters that the request has. */
export function reads(
  on: On,
  names: string | readonly string[],
  read: (value: string, parameters: URLSearchParams) => string,
): Behaviour {
  return changesParameters(on, (parameters) => {
    for (const name of [names].flat()) {
      const value = parameters.get(name);
      if (value !== null) parameters.set(name, read(value, parameters));
    }
  });
}

/** Reads another list from parameters with a JSON list. */
export function readsList(
  on: On,
  names: string | readonly string[],
  read: (list: readonly unknown[], parameters: URLSearchParams) => readonly unknown[],
): Behaviour {
  return reads(on, names, (text, parameters) => {
    const list = parseJson(text);
    if (!Array.isArray(list)) return text;
    const changed = read(list, parameters);
    // An unchanged list stays as it was written: it may be nested too deeply to be written again.
    const isSame = changed.length === list.length && changed.every((item, index) => item === list[index]);
    return isSame ? text : JSON.stringify(changed);
  });
}

/** Refuses requests. */
export function refuses(on: On, when: When, response: WireResponse = failure()): Behaviour {
  return always(on, (request, forward, known) =>
    when(parametersOf(request), request, known) ? response : forward(request),
  );
}

/** Refuses requests with the same key as an earlier one of the same caller that succeeded; those without a key pass. */
export function refusesSecond(
  on: On,
  keyOf: (parameters: URLSearchParams, request: WireRequest) => unknown,
): Behaviour {
  return remembers(
    on,
    () => new Set<string>(),
    async (request, forward, seen) => {
      const own = keyOf(parametersOf(request), request);
      if (own === undefined) return forward(request);
      const key = `${headerOf(request, "Authorization")} ${own}`;
      if (seen.has(key)) return failure();
      const response = await forward(request);
      if (response.status === 200) seen.add(key);
      return response;
    },
  );
}

/** Returns success, with these fields, instead of an error with this code or with a message that begins with this text. */
export function forgives(
  on: On,
  error: string,
  body: Json | ((about: { readonly request: WireRequest; readonly refused: Json }) => Json) = {},
  when: When = () => true,
): Behaviour {
  return changesResponse(on, (response, request, known) => {
    if (!isError(response, error) || !when(parametersOf(request), request, known)) return undefined;
    return success(typeof body === "function" ? body({ request, refused: jsonOf(response) ?? {} }) : body);
  });
}

/** Returns success when it refuses to repeat a request that succeeded. */
export function forgivesAgain(on: On): Behaviour {
  return remembers(
    on,
    () => new Set<string>(),
    async (request, forward, done) => {
      const response = await forward(request);
      const key = `${headerOf(request, "Authorization")} ${request.target.split("?")[0]} ${request.body}`;
      if (response.status === 200) done.add(key);
      return response.status === 400 && done.has(key) ? success() : response;
    },
  );
}

/** Returns success, with these fields, and does nothing. */
export function skips(on: On, when: When, body: Json = {}): Behaviour {
  return refuses(on, when, success(body));
}

/** Who makes a request: a caller of the provider states, or a user found by the request. */
type As = CallerName | ((request: WireRequest, known: KnownOrganizations) => KnownUser | undefined);

function userOf(as: As, request: WireRequest, known: KnownOrganizations): KnownUser | undefined {
  return typeof as === "function" ? as(request, known) : known.colleagueOf(request, as);
}

/** Handles requests as if another user made them. */
export function actsAs(on: On, as: As, when: When = () => true): Behaviour {
  return changesRequest(on, (request, known) =>
    when(parametersOf(request), request, known) ? asUser(request, userOf(as, request, known)) : request,
  );
}

/** Handles refused requests as if another user made them. */
export function retriesAs(on: On, as: As, when: When = () => true): Behaviour {
  return always(on, async (request, forward, known) => {
    const response = await forward(request);
    const user = userOf(as, request, known);
    const isRetried = response.status === 400 && user !== undefined && when(parametersOf(request), request, known);
    return isRetried ? forward(asUser(request, user)) : response;
  });
}

/** Sends other requests after it refused one. */
export function doesAnyway(
  on: On,
  others: (refused: Omit<About, "status"> & { readonly refused: Json }) => readonly WireRequest[],
): Behaviour {
  return always(on, async (request, forward, known) => {
    const response = await forward(request);
    const refused = jsonOf(response);
    if (response.status !== 400 || refused === undefined) return response;
    for (const other of others({ parameters: parametersOf(request), request, known, refused })) await forward(other);
    return response;
  });
}

/** Repeats the first response to each distinct request of a caller. */
export function caches(on: On): Behaviour {
  return remembers(
    on,
    () => new Map<string, WireResponse>(),
    async (request, forward, seen) => {
      const key = `${headerOf(request, "Authorization")} ${request.target}`;
      const response = seen.get(key) ?? (await forward(request));
      if (response.status === 200) seen.set(key, response);
      return response;
    },
  );
}
