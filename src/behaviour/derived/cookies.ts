import { secretPlaces } from "../../contract/rest/security.js";
import { makeThing } from "./make-things.js";
import { type Context, type DerivedWorkflow, draft, judged } from "./workflow-parts.js";

/** The cookie of a login is kept from scripts. Whether it must be `Secure` depends on the URL of the server, which no document tells. */
export function loginCookie(context: Context): DerivedWorkflow[] {
  const { document, resource } = context;
  const { create } = resource;
  const names = secretPlaces(document).cookies;
  const isSet = create?.success.headers.some((name) => name.toLowerCase() === "set-cookie");
  if (create === undefined || isSet !== true || names.length === 0) return [];
  const { steps, step } = makeThing(context, resource, { taken: [] });
  // The header may have several cookies, and a date with a comma.
  const inCookie = (name: string) => `(?:^|, )${name.replace(/[^\w-]/g, "\\$&")}=(?:[^,]|, \\d)*`;
  const isThere = { any: names.map((name) => ({ matches: inCookie(name) })) };
  const isKept = { any: names.map((name) => ({ matches: `${inCookie(name)};\\s*[Hh][Tt][Tt][Pp][Oo][Nn][Ll][Yy]` })) };
  const login = { ...step, id: "login", outputs: {}, expect: { ...step.expect, headers: { "Set-Cookie": isThere } } };
  const { precondition: _, ...again } = { ...step, id: "again", outputs: {} };
  return draft(context, {
    ...{ kind: "login-cookie", keeper: create, depth: "quick", summary: "The cookie of a login is kept from scripts" },
    steps: [
      ...steps.slice(0, -1),
      login,
      { ...again, ...judged, expect: { ...step.expect, headers: { "Set-Cookie": isKept } } },
    ],
  });
}
