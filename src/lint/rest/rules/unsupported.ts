import type { MediaTypeObject, ParameterObject, Schema } from "../../../contract/rest/document.js";
import { unjudgedFeatures as features } from "../../../contract/unjudged-features.js";
import { isSequential } from "../../../http/sequential.js";
import { readPattern } from "../../../schema/pattern.js";
import type { Location, Visitor, VisitorContext } from "../visitor.js";

/** The parts of a document that Accord does not judge are named, so that nobody takes silence for agreement. */
export function unsupported(): Visitor {
  const say = (report: VisitorContext["report"], location: Location, message: string) =>
    report({ message, location: location.key() });
  return {
    MediaType({ schema, itemSchema }: MediaTypeObject, { key, location, report, resolve }: VisitorContext) {
      const type = schema === undefined ? undefined : resolve<Schema>(schema).node?.type;
      if (
        /^(?:multipart\/form-data|application\/x-www-form-urlencoded)\b/.test(String(key)) &&
        type !== undefined &&
        type !== "object"
      )
        say(report, location, `${features.otherForms.says(String(type))}.`);
      if (isSequential(String(key)) && schema !== undefined && itemSchema === undefined)
        say(report, location, `${features.untypedItems.says(String(key))}, so nothing judges this body.`);
      if (/[/+]xml\b/.test(String(key)))
        say(
          report,
          location,
          `${features.otherTypes.says(String(key))}, so nothing judges this body against its schema.`,
        );
    },
    Parameter({ name, schema, style }: ParameterObject, { location, report, resolve }: VisitorContext) {
      const nested = nestedIn(schema, resolve);
      if (nested === undefined) return;
      const what = nested === "" ? `the items of ${name} are` : `${name}[${nested}] is`;
      const how = style === undefined ? "" : ` in style ${style}`;
      say(report, location.child(["schema"]), `${features.nestedValues.says(what, how)}.`);
    },
    Schema({ pattern }: Schema, { location, report }: VisitorContext) {
      if (typeof pattern !== "string") return;
      const read = readPattern(pattern);
      if (!("unreadable" in read) && read.remark !== undefined)
        say(report, location.child(["pattern"]), `The pattern ${read.remark}.`);
    },
    Callback(_: unknown, { key, location, report }: VisitorContext) {
      say(report, location, `${features.callbacks.says(String(key))}.`);
    },
    WebhooksMap(webhooks: object, { location, report }: VisitorContext) {
      if (Object.keys(webhooks).length > 0) say(report, location, `${features.webhooks.says()}.`);
    },
  };
}

/** The first member of an array or object that is one itself; empty for the items. Undefined if all are primitive. */
function nestedIn(given: Schema | undefined, resolve: VisitorContext["resolve"]): string | undefined {
  const read = (schema: unknown): Schema =>
    typeof schema === "object" && schema !== null ? (resolve<Schema>(schema as Schema).node ?? {}) : {};
  const isNested = (schema: unknown) =>
    [read(schema).type].flat().some((type) => type === "array" || type === "object") ||
    read(schema).properties !== undefined;
  const { items, properties = {} } = read(given);
  if (items !== undefined && isNested(items)) return "";
  return Object.keys(properties).find((name) => isNested(properties[name]));
}
