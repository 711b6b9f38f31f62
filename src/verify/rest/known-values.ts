import { isDeepStrictEqual } from "node:util";
import { CouldNotRunError } from "../../base/could-not-run-error.js";
import { isObject } from "../../base/is-object.js";
import { parseBoundedJson } from "../../base/parse-json.js";
import type { Guess } from "../../contract/check.js";
import { nearestNames } from "../../contract/nearest-names.js";
import type { ProbedOperation, ProbedParameter } from "../../contract/rest/probed-operation.js";
import type { Unsure } from "../../judge/exchange.js";
import { fitsSchema } from "../../judge/validators.js";
import { groupBy } from "../../text/group-by.js";
import { canCarry } from "../derive/parameter-values.js";

type Values = Readonly<Record<string, unknown>>;

/** The values of parameters that a server is known to have. */
export interface KnownValues {
  /**
   * Replaces the guesses of a request, in this order: by what the user gave, then, unless the document names a value, by what the first
   * provider state returned or an earlier response listed. A request with guesses also gets the optional parameters that the user gave.
   */
  readonly fill: (
    operation: ProbedOperation,
    values: Values,
    guesses: Readonly<Record<string, Guess>> | undefined,
    ofState: Values,
  ) => { readonly values: Values; readonly unsure: Unsure };
  /** Remembers the first thing that a response to an operation lists, for the paths below it, and what its members clearly name. */
  readonly learn: (operation: ProbedOperation, body: unknown) => void;
}

/**
 * Creates the known values of a run. `given` are those of the user, by the name of a parameter or the path up to it, such as
 * `/orders/{id}`. Throws a `CouldNotRunError` if a name is that of no parameter.
 */
export function createKnownValues(operations: Iterable<ProbedOperation>, given: Values = {}): KnownValues {
  const all = [...operations];
  const pathsByName = new Map<string, Set<string>>();
  for (const operation of all)
    for (const { name, place } of operation.parameters)
      if (place !== "body") {
        const known = pathsByName.get(name);
        if (known === undefined) pathsByName.set(name, new Set([placeOf(operation, name)]));
        else known.add(placeOf(operation, name));
      }
  requireKnown(Object.keys(given), pathsByName);
  const listed = new Map<string, unknown>();
  const index = indexPaths(all);
  /** The shortest name by which a user gives a value. */
  const nameOf = (operation: ProbedOperation, name: string) =>
    pathsByName.get(name)?.size === 1 ? name : placeOf(operation, name);

  return {
    fill: (operation, values, guesses, ofState) => {
      const unsure = { madeUp: [] as string[], named: [] as string[], listed: [] as string[] };
      if (guesses === undefined) return { values, unsure };
      const optional = operation.parameters
        .filter(({ name, place }) => place !== "body" && !Object.hasOwn(values, name) && Object.hasOwn(given, name))
        .map((parameter) => [parameter.name, fitting(operation, parameter, given[parameter.name])]);
      const filled = Object.entries(values).map(([name, value]) => {
        const guess = guesses[name];
        const parameter = operation.parameters.find((one) => one.name === name);
        if (guess === undefined || parameter === undefined || !isDeepStrictEqual(value, guess.value))
          return [name, value];
        const place = placeOf(operation, name);
        const own = [place, name].find((one) => Object.hasOwn(given, one));
        if (own !== undefined) return [name, fitting(operation, parameter, given[own]) ?? given[own]];
        const note = (list: string[]) => parameter.place === "path" && list.push(nameOf(operation, name));
        if (!guess.isMadeUp) note(unsure.named);
        if (!guess.isMadeUp) return [name, value];
        const returned = Object.hasOwn(ofState, name) ? fitting(operation, parameter, ofState[name]) : undefined;
        if (returned !== undefined) return [name, returned];
        note(listed.has(place) ? unsure.listed : unsure.madeUp);
        return [name, listed.has(place) ? listed.get(place) : value];
      });
      return { values: Object.fromEntries([...filled, ...optional]), unsure };
    },
    learn: ({ path, method }, body) => {
      const item = method === "GET" ? firstItem(body) : undefined;
      const members = membersIn(body, nounOf(path));
      const learnFrom = ({ operation, parameter, place }: PathParameter, value: unknown) => {
        if (listed.has(place)) return;
        const fit = fitting(operation, parameter, value);
        if (fit !== undefined && canCarry("path", String(fit))) listed.set(place, fit);
      };
      for (const one of new Set(members.flatMap(({ noun, name }) => [noun, `=${name}`]).flatMap(index.namedBy)))
        if (!one.place.startsWith(`${path}/{`)) learnFrom(one, namedIn(members, one));
      if (item !== undefined) for (const one of index.below(path)) learnFrom(one, idOf(item, one.parameter.name));
    },
  };
}

/** A parameter in the path of an operation. */
interface PathParameter extends Named {
  readonly operation: ProbedOperation;
  readonly parameter: ProbedParameter;
  readonly place: string;
}

/** Finds the parameters that a response may tell, without a look at each: a contract may have thousands. */
function indexPaths(operations: readonly ProbedOperation[]) {
  const all = operations.flatMap((operation) =>
    operation.parameters.flatMap((parameter): PathParameter[] => {
      const place = placeOf(operation, parameter.name);
      return parameter.place === "path" ? [{ operation, parameter, place, ...namesOf(place) }] : [];
    }),
  );
  const [byNoun, byName] = [groupBy(all, ({ noun }) => noun), groupBy(all, ({ full }) => `=${full}`)];
  const segments = all.filter(({ operation, place }) => [undefined, "/"].includes(operation.path[place.length]));
  const byList = groupBy(segments, ({ place }) => place.replace(/\/\{[^{}]*\}$/, ""));
  return {
    /** Those of a kind of thing, or, after `=`, of a name. */
    namedBy: (name: string) => byNoun.get(name) ?? byName.get(name) ?? [],
    /** Those right below a path. */
    below: (path: string) => byList.get(path) ?? [],
  };
}

/** The path up to a parameter of it; the name of any other. */
function placeOf({ path }: ProbedOperation, name: string): string {
  const end = path.indexOf(`{${name}}`);
  return end < 0 ? name : path.slice(0, end + name.length + 2);
}

function requireKnown(names: readonly string[], pathsByName: ReadonlyMap<string, ReadonlySet<string>>): void {
  const known = [...pathsByName].flatMap(([name, places]) => [name, ...places]);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const [nearest] = nearestNames(unknown, known);
  const hint = nearest === undefined ? "" : `; did you mean ${nearest}?`;
  throw new CouldNotRunError(`A value is given for ${unknown}, but the contract has no such parameter${hint}`);
}

/** A value, or what a text stands for, if it fits the schema. A name or an id is a text or a number. */
function fitting({ document }: ProbedOperation, { schema }: ProbedParameter, value: unknown): unknown {
  const readings = typeof value === "string" ? [value, parseBoundedJson(value)] : [value, String(value)];
  return value === undefined || value === null ? undefined : readings.find((one) => fitsSchema(document, schema, one));
}

/** A member of an object in a response, and what kind of thing the object is. */
interface Member {
  readonly noun: string;
  readonly name: string;
  readonly value: unknown;
}

/** How deep in a response members are looked for. */
const maxMemberDepth = 4;

/** Lists the scalar members of the objects in a response. `noun` is the kind of the outermost ones. Of a list, only the first item counts. */
function membersIn(body: unknown, noun: string, depth = 0): Member[] {
  if (depth > maxMemberDepth) return [];
  if (Array.isArray(body)) return membersIn(body[0], noun, depth + 1);
  if (!isObject(body)) return [];
  return Object.entries(body).flatMap(([name, value]) =>
    isScalar(value) ? { noun, name: plain(name), value } : membersIn(value, nounOf(name), depth + 1),
  );
}

/**
 * The value of a member that clearly names the last parameter of a path: in an object of the same kind, `id`, `petId` or `pet_id` for
 * `/pets/{petId}` and `/pets/{id}`; in any other, only what also names the kind.
 */
function namedIn(members: readonly Member[], { noun, wanted, full }: Named): unknown {
  if (noun === "" || full === noun) return undefined;
  const own = members.find((one) => one.noun === noun && [wanted, full, full.slice(noun.length)].includes(one.name));
  return (own ?? members.find(({ name }) => name === full))?.value;
}

/** What a parameter at the end of a path is about, and its name without and with that. */
interface Named {
  readonly noun: string;
  readonly wanted: string;
  readonly full: string;
}

function namesOf(place: string): Named {
  const [path = "", parameter = ""] = place.slice(0, -1).split(/\{(?=[^{]*$)/);
  const [noun, wanted] = [nounOf(path), plain(parameter)];
  return { noun, wanted, full: wanted.startsWith(noun) ? wanted : `${noun}${wanted}` };
}

/** What the last word of a path or name is about, such as `pet` of `/pets`. */
function nounOf(path: string): string {
  const last = path.split("/").findLast((part) => part !== "" && !part.includes("{")) ?? "";
  return plain(last).replace(/ies$/, "y").replace(/s$/, "");
}

function plain(text: string): string {
  return text.replace(/[^a-z0-9]/gi, "").toLowerCase();
}

function isScalar(value: unknown): boolean {
  return typeof value === "number" || (typeof value === "string" && value !== "");
}

/** The first item of a list, or of the only list in an object. */
function firstItem(body: unknown): unknown {
  if (Array.isArray(body)) return body[0];
  const lists = isObject(body) ? Object.values(body).filter(Array.isArray) : [];
  return lists.length === 1 ? lists[0]?.[0] : undefined;
}

/** What of an item a parameter names: the item itself, or its member whose name is that of the parameter or ends it, such as `id`. */
function idOf(item: unknown, parameter: string): unknown {
  if (!isObject(item)) return isScalar(item) ? item : undefined;
  const [best] = Object.entries(item)
    .filter(([member, value]) => isScalar(value) && plain(member) !== "" && plain(parameter).endsWith(plain(member)))
    .sort(([one], [other]) => other.length - one.length);
  return best?.[1];
}
