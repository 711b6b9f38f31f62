import type { CallerName } from "../../../generated/chat/states.js";
import type { KnownOrganizations } from "./known-organizations.js";
import { headerOf, type WireRequest } from "./wire.js";

/** Whether an operator changes a request. */
export type When = (parameters: URLSearchParams, request: WireRequest, known: KnownOrganizations) => boolean;

/** The request has a parameter. */
export function has(name: string): When {
  return (parameters) => parameters.has(name);
}

/** The request lacks a parameter. */
export function lacks(name: string): When {
  return (parameters) => !parameters.has(name);
}

/** A parameter has this value. */
export function is(name: string, value: string): When {
  return (parameters) => parameters.get(name) === value;
}

/** A parameter matches a pattern. Does not hold if the request lacks it. */
export function matches(name: string, pattern: RegExp): When {
  return (parameters) => pattern.test(parameters.get(name) ?? "");
}

/** A caller of the provider states makes the request. */
export function from(caller: CallerName): When {
  return (_, request, known) => known.callerOf(request)?.caller === caller;
}

/** The path names this user of the caller's organization. */
export function isAbout(caller: CallerName): When {
  return (_, request, known) => {
    const id = request.path.user_id ?? request.path.muted_user_id;
    return known.colleaguesOf(request).some((user) => user.caller === caller && String(user.userId) === id);
  };
}

/** The request has no credentials. */
export const anonymous: When = (_, request) => headerOf(request, "Authorization") === undefined;

/** The path names something that a provider state created in the organization of the caller. */
export function knows(name: string): When {
  return (_, request, known) =>
    known.setupsOf(request).some(({ values }) => String(values[name]) === request.path[name]);
}

/** A provider state was set up with this, in the organization of the caller. */
export function given(condition: (params: Readonly<Record<string, unknown>>) => boolean): When {
  return (_, request, known) => known.setupsOf(request).some(({ params }) => condition(params));
}

/** All of these conditions hold. */
export function all(...conditions: readonly When[]): When {
  return (...about) => conditions.every((condition) => condition(...about));
}
