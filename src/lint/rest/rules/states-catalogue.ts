import { createStateCatalogue } from "../../../contract/rest/states/catalogue.js";
import type { Visitor, VisitorContext } from "../visitor.js";

/** Every provider state has a description, and its parameters and values are JSON Schemas of objects. */
export function statesCatalogue(): Visitor {
  return {
    Root(_: unknown, { location, report }: VisitorContext) {
      for (const message of createStateCatalogue(location.source.absoluteRef).ownProblems())
        report({ message, location });
    },
  };
}
