import { type ContractDocument, type ResponseObject, resolve } from "./document.js";
import { listOperations } from "./operations.js";

/** Lists what keeps examples with `x-case` from being cases, a sentence each that begins with the place of the example. */
export function caseNotesProblems(document: ContractDocument): string[] {
  return listOperations(document).flatMap(({ path, method, operation }) =>
    Object.entries(operation.responses).flatMap(([status, given]) =>
      Object.entries(resolve<ResponseObject>(document, given).content ?? {}).flatMap(([, { examples = {} }]) =>
        Object.entries(examples).flatMap(([name, { "x-case": notes }]) => {
          if (notes === undefined) return [];
          const place = `${method.toUpperCase()} ${path}: example \`${name}\` of response ${status}`;
          return problemsOf(notes, status).map((problem) => `${place}: ${problem}`);
        }),
      ),
    ),
  );
}

function problemsOf(notes: unknown, status: string): string[] {
  if (typeof notes !== "object" || notes === null) return ["`x-case` must be an object with `rule` and `given`"];
  const { rule, given } = notes as { readonly rule?: unknown; readonly given?: unknown };
  const isState = (one: unknown) =>
    typeof one === "string" || (typeof one === "object" && one !== null && "state" in one);
  return [
    ...(typeof rule === "string" ? [] : ["`x-case` needs the id of a rule: write `rule: <id>`"]),
    ...(Array.isArray(given) && given.every(isState)
      ? []
      : ["`x-case` needs the list of its provider states: write `given: []` if it has none"]),
    ...(/^[1-5]\d\d$/.test(status)
      ? []
      : ["a case expects one status: move it to a response with three digits, such as '404'"]),
  ];
}
