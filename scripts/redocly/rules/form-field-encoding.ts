import type { MediaTypeObject, Schema } from "../../../src/contract/rest/document.js";
import type { Visitor, VisitorContext } from "../../../src/lint/rest/visitor.js";

/** Every form field that is not a plain string declares its encoding. */
export function formFieldEncoding(): Visitor {
  return {
    MediaType(media: MediaTypeObject, { key, location, report, resolve }: VisitorContext) {
      if (key !== "application/x-www-form-urlencoded") return;
      const schema = resolve<Schema>(media.schema);
      const properties = schema.node?.properties ?? {};
      for (const [name, field] of Object.entries(properties)) {
        const { type } = resolve<Schema>(field, schema.location?.source.absoluteRef).node ?? {};
        const wanted =
          type === "string" ? undefined : type === "integer" || type === "boolean" ? "text/plain" : "application/json";
        const found = media.encoding?.[name]?.contentType;
        if (wanted !== undefined && found !== wanted) {
          report({
            message: `Field \`${name}\` is not a plain string: write \`encoding.${name}.contentType: ${wanted}\`${found ? ` instead of ${found}` : ""}.`,
            location:
              found === undefined
                ? location.child(["encoding"]).key()
                : location.child(["encoding", name, "contentType"]),
          });
        }
      }
      for (const name of Object.keys(media.encoding ?? {})) {
        if (!(name in properties)) {
          report({
            message: `\`encoding.${name}\` is for no field of the form: remove it, or name one of ${Object.keys(properties).join(", ")}.`,
            location: location.child(["encoding", name]).key(),
          });
        }
      }
    },
  };
}
