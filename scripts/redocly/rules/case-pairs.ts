import { basename, dirname } from "node:path";
import type {
  ExampleObject,
  MediaTypeObject,
  OperationObject,
  ParameterObject,
  ResponseObject,
} from "../../../src/contract/chat/document.js";
import type { Location, Visitor, VisitorContext } from "../visitor.js";

/** A case has both halves under one name, and its file carries the same name. */
export function casePairs(): Visitor {
  return {
    Operation(operation: OperationObject, { location, report, resolve }: VisitorContext) {
      const media = operation.requestBody?.content ?? {};
      const bodyNames = Object.values(media).flatMap(({ examples = {} }) => Object.keys(examples));
      const answers = new Map<string, string[]>();

      for (const [status, given] of Object.entries(operation.responses)) {
        if ("$ref" in given) continue;
        for (const [type, { examples = {} }] of Object.entries((given as ResponseObject).content ?? {})) {
          for (const [name, example] of Object.entries(examples)) {
            const place = location.child(["responses", status, "content", type, "examples", name]);
            const { node } = resolve<ExampleObject>(example);
            answers.set(name, [...(answers.get(name) ?? []), status]);
            checkFile(example, name, "response", place);
            if (node !== undefined && node["x-case"] === undefined) {
              report({
                message: `Example \`${name}\` needs \`x-case: {rule, given}\`: every response example is a case.`,
                location: place,
              });
            }
            if (operation.requestBody?.required && !bodyNames.includes(name)) {
              report({
                message: `Case \`${name}\` has no request: add \`${name}\` to the examples of the request body.`,
                location: place.key(),
              });
            }
          }
        }
      }
      for (const [name, statuses] of answers) {
        if (statuses.length > 1) {
          report({
            message: `Case \`${name}\` has ${statuses.length} responses (${statuses.join(", ")}): keep one.`,
            location: location.child(["responses"]),
          });
        }
      }
      for (const [type, { examples = {} }] of Object.entries(media)) {
        for (const [name, example] of Object.entries(examples)) {
          const place = location.child(["requestBody", "content", type, "examples", name]);
          checkFile(example, name, "request", place);
          mustBeAnswered(name, place);
        }
      }
      for (const [index, given] of (operation.parameters ?? []).entries()) {
        const { node } = resolve<ParameterObject>(given);
        for (const name of Object.keys(parameterExamples(node)))
          mustBeAnswered(name, location.child(["parameters", index]));
      }

      function mustBeAnswered(name: string, place: Location) {
        if (!answers.has(name)) {
          report({
            message: `Example \`${name}\` has no response: add \`${name}\` to the examples of the response it leads to.`,
            location: place.key(),
          });
        }
      }
      function checkFile(example: object, name: string, half: string, place: Location) {
        if (!("$ref" in example) || typeof example.$ref !== "string") return;
        const [file = "", pointer = ""] = example.$ref.split("#");
        if (
          basename(file, ".yaml") !== name ||
          basename(dirname(file)) !== operation.operationId ||
          pointer !== `/${half}`
        ) {
          report({
            message: `Example \`${name}\` must refer to \`components/examples/${operation.operationId}/${name}.yaml#/${half}\`.`,
            location: place,
          });
        }
      }
    },
  };
}

function parameterExamples(parameter: ParameterObject | undefined): Record<string, ExampleObject> {
  const media: MediaTypeObject | undefined = Object.values(parameter?.content ?? {})[0];
  return { ...parameter?.examples, ...media?.examples };
}
