import type { MediaTypeObject } from "../../../contract/rest/document.js";
import type { Location, Visitor, VisitorContext } from "../visitor.js";

/** The parts of a document that Accord does not judge are named, so that nobody takes silence for agreement. */
export function unsupported(): Visitor {
  const say = (report: VisitorContext["report"], location: Location, message: string) =>
    report({ message, location: location.key() });
  return {
    MediaType(_: MediaTypeObject, { key, location, report }: VisitorContext) {
      if (/[/+]xml\b/.test(String(key)))
        say(report, location, `Accord does not read ${key}, so nothing judges this body against its schema.`);
    },
    Callback(_: unknown, { key, location, report }: VisitorContext) {
      say(report, location, `Accord receives no calls, so nothing judges the callback ${key}.`);
    },
    WebhooksMap(webhooks: object, { location, report }: VisitorContext) {
      if (Object.keys(webhooks).length > 0)
        say(report, location, "Accord receives no calls, so nothing judges the webhooks.");
    },
  };
}
