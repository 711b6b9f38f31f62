import { type ApiAnswer, type ApiRequest, type Fault, Refusal, type Route, serveRoutes } from "../http-api.js";
import type { Exhibit } from "./exhibit.js";
import { type MuseumFault, museumFaults } from "./faults.js";

interface Museum {
  readonly name: string;
  readonly exhibits: Map<number, Exhibit>;
  readonly images: Map<number, Buffer>;
  /** The codes of tickets, by idempotency key. */
  readonly purchases: Map<string, string>;
}

interface Caller {
  readonly museum: Museum;
  readonly isCurator: boolean;
}

/** A running museum server. */
export interface MuseumServer {
  readonly url: string;
  readonly statesUrl: string;
  readonly close: () => Promise<void>;
}

const rooms = ["east", "north", "west"];
const germanTitles: Readonly<Record<string, string>> = { Astrolabe: "Astrolabium", Sextant: "Sextant" };
const firstImage = Buffer.from("89504e470d0a1a0a", "hex");
const unset = { year: null, acquired_on: null, donor: null, rating: null };

const firstExhibits: readonly Exhibit[] = [
  {
    ...{ id: 17, title: "Astrolabe", room: "east", year: 1571, materials: ["brass", "silver"] },
    ...{ acquired_on: "1904-05-12", donor: { name: "A. Regiomontanus", note: null }, rating: 4.5 },
  },
  {
    ...{ id: 18, title: "Terrestrial globe", room: "west", year: 1622, materials: ["paper", "brass"] },
    ...{ acquired_on: null, donor: null, rating: null },
  },
  {
    ...{ id: 19, title: "Sextant", room: "north", year: 1780, materials: ["brass", "glass"] },
    ...{ acquired_on: "1931-01-30", donor: { name: "Cartographic Society", note: "On loan until 1950" }, rating: 3 },
  },
];

/** Starts a server of `openapi.yaml`, with one mistake if `fault` names one. */
export async function startMuseum(fault?: MuseumFault): Promise<MuseumServer> {
  const has = (name: MuseumFault) => fault === name;
  const museums = new Map<string, Museum>();
  const callers = new Map<string, Caller>();

  const allow = ({ headers }: ApiRequest, { curator = false, anyToken = false, anyone = false } = {}): Museum => {
    const { authorization } = headers;
    const caller = callers.get(/^bearer (.+)$/i.exec(authorization ?? "")?.[1] ?? "");
    if (caller === undefined) {
      if ((anyToken && authorization !== undefined) || (anyone && authorization === undefined)) return createMuseum("");
      throw new Refusal(problem(401, "unauthorized", "Unauthorized", { "WWW-Authenticate": "Bearer" }));
    }
    if (curator && !caller.isCurator) throw new Refusal(problem(403, "forbidden", "Only curators may do this"));
    return caller.museum;
  };
  const operation = (method: string, path: string, id: string, handle: Route["handle"]): Route => {
    const pattern = path.replace("{exhibit_id}", "([^/]+)");
    return { operation: id, method, path: new RegExp(`^/v2${pattern}$`), handle };
  };

  const routes: Route[] = [
    operation("GET", "/exhibits", "listExhibits", (request) => {
      const museum = allow(request, { anyToken: has("list-any-token") });
      const wanted = readFilters(request.query);
      if (has("list-first-room")) wanted.room.splice(1);
      const isGerman = !has("list-ignores-language") && /^de\b/.test(request.headers["accept-language"] ?? "");
      const found = [...museum.exhibits.values()].filter(
        ({ id, room, materials, year }) =>
          (has("list-ignores-room") || wanted.room.length === 0 || wanted.room.includes(room)) &&
          (has("list-ignores-ids") || wanted.ids.length === 0 || wanted.ids.includes(id)) &&
          (has("list-ignores-material") || wanted.material.every((one) => materials.includes(one))) &&
          (has("list-ignores-made") || ((year ?? wanted.from) >= wanted.from && (year ?? wanted.to) <= wanted.to)),
      );
      const listed = found
        .slice(0, wanted.limit)
        .map((exhibit) => (isGerman ? { ...exhibit, title: germanTitles[exhibit.title] ?? exhibit.title } : exhibit));
      return json(200, listed, { "X-Total-Count": String(found.length) });
    }),
    operation("POST", "/exhibits", "createExhibit", (request) => {
      const museum = allow(request, { curator: !has("create-for-visitors") });
      const fields = readExhibit(readJson(request, "application/json"), has("create-any-room"));
      const exhibit = { ...unset, ...fields, id: nextId(museum) };
      museum.exhibits.set(exhibit.id, exhibit);
      return json(201, exhibit, { Location: `/v2/exhibits/${exhibit.id}` });
    }),
    operation("GET", "/exhibits/{exhibit_id}", "getExhibit", (request) => {
      const museum = allow(request, { anyone: has("get-anonymous") });
      const found = find(museum, request);
      const exhibit = has("get-first") ? ([...museum.exhibits.values()][0] ?? found) : found;
      return json(200, exhibit, { ETag: `"${exhibit.id}-${exhibit.title.length}"` });
    }),
    operation("PUT", "/exhibits/{exhibit_id}", "replaceExhibit", (request) => {
      const museum = allow(request, { curator: true });
      const before = find(museum, request);
      const fields = readExhibit(readJson(request, "application/json"));
      const exhibit = { ...unset, ...(has("put-merges") ? before : {}), ...fields, id: before.id };
      museum.exhibits.set(exhibit.id, exhibit);
      return json(200, exhibit);
    }),
    operation("PATCH", "/exhibits/{exhibit_id}", "updateExhibit", (request) => {
      const museum = allow(request, { curator: true });
      const before = find(museum, request);
      const changes = readChanges(readJson(request, "application/merge-patch+json"));
      const kept = has("patch-resets") ? { ...before, ...unset, materials: [] } : before;
      const exhibit = { ...kept, ...changes };
      museum.exhibits.set(exhibit.id, exhibit);
      return json(200, exhibit);
    }),
    operation("DELETE", "/exhibits/{exhibit_id}", "deleteExhibit", (request) => {
      const museum = allow(request, { curator: true });
      const { id } = find(museum, request);
      if (!has("delete-keeps")) museum.exhibits.delete(id);
      return { status: 204 };
    }),
    operation("GET", "/exhibits/{exhibit_id}/image", "getImage", (request) => {
      const museum = allow(request);
      const image = museum.images.get(find(museum, request).id) ?? firstImage;
      return { status: 200, headers: { "Content-Type": "image/png" }, body: image };
    }),
    operation("PUT", "/exhibits/{exhibit_id}/image", "replaceImage", (request) => {
      const museum = allow(request, { curator: true });
      const { id } = find(museum, request);
      requireType(request, "application/octet-stream");
      museum.images.set(id, has("image-as-text") ? Buffer.from(request.body.toString("utf8")) : request.body);
      return { status: 204 };
    }),
    operation("GET", "/opening-hours", "listOpeningHours", ({ headers }) => {
      const site = /(?:^|;\s*)site=([^;]*)/.exec(headers.cookie ?? "")?.[1] ?? "main";
      if (!["main", "harbour"].includes(site)) throw new Refusal(badRequest("site"));
      const days = { "2031-03-01": { opens: "10:00", closes: "17:30" }, "2031-03-02": null };
      return json(200, { site: has("hours-ignores-cookie") ? "main" : site, days });
    }),
    operation("POST", "/tickets", "buyTickets", (request) => {
      const museum = allow(request);
      const given = request.headers["idempotency-key"];
      const key = typeof given === "string" ? given : has("tickets-without-key") ? crypto.randomUUID() : "";
      if (key.length < (has("tickets-short-key") ? 1 : 8)) throw new Refusal(badRequest("Idempotency-Key"));
      const { date, persons } = readJson(request, "application/json");
      if (!isDate(date)) throw new Refusal(badRequest("date"));
      if (!isIntegerIn(persons, 1, 30)) throw new Refusal(badRequest("persons"));
      const known = has("tickets-twice") ? undefined : museum.purchases.get(key);
      const code = known ?? `TICKET${String(museum.purchases.size + 10).padStart(2, "0")}`;
      museum.purchases.set(has("tickets-twice") ? `${key} ${code}` : key, code);
      return json(201, { code, persons, price: { amount: 1200 * persons, currency: "EUR" } });
    }),
    { operation: "states", method: "POST", path: /^\/states$/, handle: setUpState },
  ];

  function setUpState({ body }: ApiRequest): ApiAnswer {
    const { state, params = {}, action } = JSON.parse(body.toString("utf8"));
    const { organization, ...fields } = params;
    if (state !== "museum" && state !== "exhibit") return json(400, { msg: `Unknown state: ${state}` });
    if (action === "teardown") return json(200, {});
    const museum = museums.get(organization) ?? createMuseum(`museum-${museums.size + 1}`);
    museums.set(museum.name, museum);
    const tokens = { curator: `${museum.name}-curator-8Kq2`, visitor: `${museum.name}-visitor-4Zt7` };
    callers.set(tokens.curator, { museum, isCurator: true });
    callers.set(tokens.visitor, { museum, isCurator: false });
    const about = {
      organization: museum.name,
      credentials: { curator: { access_token: tokens.curator }, visitor: { access_token: tokens.visitor } },
    };
    if (state === "museum") return json(200, { ...about, missing_id: 404_404 });
    const exhibit = { ...unset, title: "Compass", room: "north", materials: ["brass"], ...fields, id: nextId(museum) };
    museum.exhibits.set(exhibit.id, exhibit);
    return json(200, { ...about, exhibit_id: exhibit.id });
  }

  const { origin, close } = await serveRoutes(
    routes.filter(({ operation }) => !(has("put-missing") && operation === "replaceExhibit")),
    {
      fault: fault === undefined ? undefined : (museumFaults[fault] as Fault),
      refuse: (status, title) => problem(status, status === 404 ? "no-such-page" : "other", title),
    },
  );
  return { url: `${origin}/v2`, statesUrl: `${origin}/states`, close };
}

function createMuseum(name: string): Museum {
  return {
    name,
    exhibits: new Map(firstExhibits.map((exhibit) => [exhibit.id, exhibit])),
    images: new Map(),
    purchases: new Map(),
  };
}

function nextId({ exhibits }: Museum): number {
  return Math.max(19, ...exhibits.keys()) + 1;
}

function find(museum: Museum, { path: [id = ""] }: ApiRequest): Exhibit {
  if (!/^[1-9]\d*$/.test(id)) throw new Refusal(badRequest("exhibit_id"));
  const exhibit = museum.exhibits.get(Number(id));
  if (exhibit === undefined) throw new Refusal(problem(404, "not-found", "The museum has no such exhibit"));
  return exhibit;
}

function readFilters(query: URLSearchParams) {
  const room = query.getAll("room");
  if (room.some((one) => !rooms.includes(one)) || new Set(room).size < room.length) {
    throw new Refusal(badRequest("room"));
  }
  const list = (name: string, separator: string) => (query.get(name) || undefined)?.split(separator) ?? [];
  const integer = (name: string, otherwise: number, [min, max] = [-Infinity, Infinity]) => {
    const text = query.get(name);
    if (text === null) return otherwise;
    if (!/^-?\d+$/.test(text) || !isIntegerIn(Number(text), min, max)) throw new Refusal(badRequest(name));
    return Number(text);
  };
  const ids = list("ids", ",");
  if (ids.length > 50 || ids.some((id) => !/^[1-9]\d*$/.test(id))) throw new Refusal(badRequest("ids"));
  const material = list("material", "|");
  if (material.includes("")) throw new Refusal(badRequest("material"));
  return {
    room,
    ids: ids.map(Number),
    material,
    from: integer("made[from]", -Infinity),
    to: integer("made[to]", Infinity),
    limit: integer("limit", 20, [1, 100]),
  };
}

function readJson(request: ApiRequest, type: string): Record<string, unknown> {
  requireType(request, type);
  let value: unknown;
  try {
    value = JSON.parse(request.body.toString("utf8"));
  } catch {
    throw new Refusal(badRequest("body"));
  }
  if (!isObject(value)) throw new Refusal(badRequest("body"));
  return value;
}

function requireType({ headers }: ApiRequest, type: string): void {
  if (headers["content-type"]?.split(";")[0]?.trim() !== type) {
    throw new Refusal(problem(415, "unsupported-type", `Send ${type}`));
  }
}

/** The fields of a new exhibit. */
function readExhibit(
  { title, room, year = null, materials, acquired_on = null }: Record<string, unknown>,
  takesAnyRoom = false,
): Pick<Exhibit, "title" | "room" | "materials"> & Partial<Exhibit> {
  if (!isText(title) || [...title].length > 200) throw new Refusal(badRequest("title"));
  if (!isText(room)) throw new Refusal(badRequest("room"));
  if (!takesAnyRoom) requireRoom(room);
  if (!Array.isArray(materials) || !materials.every(isText)) throw new Refusal(badRequest("materials"));
  if (year !== null && !isIntegerIn(year)) throw new Refusal(badRequest("year"));
  if (acquired_on !== null && !isDate(acquired_on)) {
    throw new Refusal(badRequest("acquired_on"));
  }
  return {
    title,
    room,
    materials,
    ...(year === null ? {} : { year }),
    ...(acquired_on === null ? {} : { acquired_on }),
  };
}

function readChanges({ title, room, rating }: Record<string, unknown>): Partial<Exhibit> {
  if (title !== undefined && !isText(title)) throw new Refusal(badRequest("title"));
  if (room !== undefined) {
    if (!isText(room)) throw new Refusal(badRequest("room"));
    requireRoom(room);
  }
  if (rating !== undefined && rating !== null && !(typeof rating === "number" && rating >= 0 && rating <= 5)) {
    throw new Refusal(badRequest("rating"));
  }
  return {
    ...(title === undefined ? {} : { title }),
    ...(room === undefined ? {} : { room }),
    ...(rating === undefined ? {} : { rating }),
  };
}

function requireRoom(room: string): void {
  if (!rooms.includes(room)) throw new Refusal(problem(422, "invalid-field", "Invalid field", {}, { field: "room" }));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function isDate(value: unknown): value is string {
  return isText(value) && /^\d{4}-\d\d-\d\d$/.test(value) && new Date(value).toJSON()?.startsWith(value) === true;
}

function isIntegerIn(value: unknown, min = -Infinity, max = Infinity): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= min && value <= max;
}

function json(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): ApiAnswer {
  return { status, headers: { "Content-Type": "application/json", ...headers }, body: JSON.stringify(body) };
}

function badRequest(name: string): ApiAnswer {
  return problem(400, "bad-request", `${name} is missing or malformed`);
}

function problem(
  status: number,
  type: string,
  title: string,
  headers: Readonly<Record<string, string>> = {},
  more: object = {},
): ApiAnswer {
  const body = { type: `/problems/${type}`, title, status, ...more };
  return json(status, body, { ...headers, "Content-Type": "application/problem+json" });
}
