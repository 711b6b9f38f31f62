import type { ExampleObject, OperationObject, ResponseObject, Schema } from "../../../contract/rest/document.js";
import type { Visitor, VisitorContext } from "../visitor.js";

/** Every operation has a case of success, and one for each error code that it documents. */
export function casePerErrorCode(): Visitor {
  return {
    Operation(operation: OperationObject, { location, report, resolve }: VisitorContext) {
      let successes = 0;
      for (const [status, given] of Object.entries(operation.responses)) {
        const response = resolve<ResponseObject>(given).node;
        const place = location.child(["responses", status]);
        const examples = Object.values(response?.content ?? {}).flatMap((media) => [
          ...Object.values(media.examples ?? {}),
          ...("example" in media ? [{ value: media.example }] : []),
        ]);
        const cases = examples.flatMap((example) => resolve<ExampleObject>(example).node ?? []);
        // A response without a body needs no example.
        if (status.startsWith("2")) successes += response?.content === undefined ? 1 : cases.length;
        if (status === "default") continue;
        const shown = new Set(
          cases.map(({ value }) =>
            typeof value === "object" && value !== null && "code" in value ? value.code : undefined,
          ),
        );
        for (const code of codesOf(response, resolve)) {
          if (!shown.has(code))
            report({ message: `Status ${status} needs a case with code ${code}.`, location: place.key() });
        }
      }
      if (successes === 0)
        report({ message: "The operation needs a successful case.", location: location.child(["responses"]).key() });
    },
  };
}

function codesOf(response: ResponseObject | undefined, resolve: VisitorContext["resolve"]): string[] {
  return Object.values(response?.content ?? {}).flatMap(({ schema = {} }) => {
    // References are relative to their file. The schema of an error has its code as a constant.
    const alternatives: (Schema | { $ref: string })[] =
      "anyOf" in schema && Array.isArray(schema.anyOf) ? schema.anyOf : [schema];
    return alternatives.flatMap((alternative) => {
      const code = resolve<Schema>(alternative).node?.properties?.code?.const;
      return typeof code === "string" ? [code] : [];
    });
  });
}
