import { changed, concurrent, removed, repeated, replaced } from "./changes.js";
import { loginCookie } from "./cookies.js";
import { createdIsRead, listed } from "./created.js";
import { guarded } from "./guards.js";
import { makeThing } from "./make-things.js";
import { paged } from "./paged.js";
import { refused } from "./refused.js";
import { tried } from "./tried.js";
import type { Context, DerivedWorkflow } from "./workflow-parts.js";

/** Lists the workflows of a resource. Throws a `MissingThing` if nothing of its kind can be made. */
export function deriveWorkflows(context: Context): DerivedWorkflow[] {
  const { resource } = context;
  if (resource.create === undefined) return [];
  // Whether one can be made at all.
  makeThing(context, resource, { taken: [] });
  return [
    ...createdIsRead(context),
    ...listed(context),
    ...paged(context),
    ...removed(context),
    ...replaced(context),
    ...changed(context),
    ...refused(context),
    ...repeated(context),
    ...guarded(context),
    ...concurrent(context),
    ...loginCookie(context),
    ...tried(context),
  ];
}
