import { nearestNames } from "../../../contract/nearest-names.js";
import { isSecretName } from "../../../verify/find-secret-fields.js";
import type { OperationAtLevel } from "../exchange/operations-at-level.js";
import { describeOtherLevel, type JudgedRequest, sentFields } from "./judged-request.js";

/** How many parameters of a request are judged. No operation takes nearly as many. */
const maxFields = 200;
/** How many characters of a name are shown. */
const maxNameLength = 60;

/** Judges the names of the parameters that a request has, and where they are. */
export function judgeNames(judged: JudgedRequest, operation: OperationAtLevel): void {
  const { exchange, find, show } = judged;
  const { method } = operation;
  const seen = new Set<string>();
  const fields = sentFields(exchange);
  const sent = new Set(fields.map(({ field }) => field[0]));
  for (const { place, field } of fields.slice(0, maxFields)) {
    const [name] = field;
    show("name", "unsupported", "place", "repeated");
    const known = operation.parameters.find((one) => one.name === name && one.place !== "header");
    if (known === undefined) {
      const isKey = place === "query" && operation.login.some((one) => one.kind === "key" && one.name === name);
      if (isKey) continue;
      judgeUnknownName(judged, operation, { name, place, sent });
      continue;
    }
    if (known.deprecated) {
      show("deprecated");
      find("deprecated", name, `${name} is deprecated`);
    }
    if (known.place === "path") {
      find("place", name, `${name} belongs in the path, and is ignored in the ${placeNames[place]}`);
    } else if (known.place === "query" || known.place === "body") {
      const rest = `the parameters of a ${method} request belong in the ${placeNames[known.place]}`;
      if (place !== known.place) find("place", name, `${name} is in the ${placeNames[place]}; ${rest}`);
    }
    if (seen.has(name)) find("repeated", name, `${name} is sent more than once`);
    seen.add(name);
  }
}

const placeNames = { query: "query string", body: "form body" } as const;

function judgeUnknownName(
  { contract, find }: JudgedRequest,
  { operationId, parameters, otherLevels }: OperationAtLevel,
  {
    name,
    place,
    sent,
  }: { readonly name: string; readonly place: "query" | "body"; readonly sent: ReadonlySet<string> },
): void {
  if (otherLevels.includes(name)) {
    const levels = contract.all.levels.get(operationId)?.parameters[name];
    return void find("level", name, describeOtherLevel(name, levels, contract.level));
  }
  const shown = name.slice(0, maxNameLength);
  if (isSecretName(name)) {
    // In the query string, they are reported as credentials in the URL.
    if (place === "body")
      find("credentials", shown, `${shown} is not a parameter; send credentials in the Authorization header`);
    return;
  }
  const names = parameters.filter((one) => one.place !== "header").map((one) => one.name);
  const array = /^([^[]*)\[/.exec(name)?.[1];
  if (array !== undefined && names.includes(array)) {
    return void find("type", array, `${shown} is not supported; send ${array} once, as JSON text`);
  }
  const [nearest] = nearestNames(
    name,
    names.filter((one) => !sent.has(one)),
  );
  if (nearest !== undefined) return void find("name", shown, `${shown} is not a parameter; did you mean ${nearest}?`);
  find("unsupported", shown, `${shown} is not a parameter of this operation, so the server ignores it`);
}

/** Finds missing parameters. */
export function judgeRequired({ exchange, find, show }: JudgedRequest, operation: OperationAtLevel): void {
  const { body, parameters, malformed } = exchange;
  const sent = new Set([...Object.keys(parameters), ...malformed.map(({ name }) => name)]);
  for (const { name, place, required } of operation.parameters) {
    const isRead = place === "query" || (place === "body" && body.kind === "fields");
    if (!required || !isRead) continue;
    show("required");
    if (!sent.has(name)) find("required", name, `${name} is missing`);
  }
}
