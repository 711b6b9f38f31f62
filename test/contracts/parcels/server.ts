import { type ApiAnswer, type ApiRequest, type Fault, Refusal, type Route, serveRoutes } from "../http-api.js";
import { type ParcelFault, parcelFaults } from "./faults.js";
import type { Parcel } from "./parcel.js";

/** A running parcel service. */
export interface ParcelServer {
  readonly url: string;
  /** Sets up the only provider state: the parcels from which the service starts. */
  readonly statesUrl: string;
  readonly close: () => Promise<void>;
}

/** The only key that the service knows. */
export const parcelKey = "k-71c09e5d2f";

const statuses = ["registered", "moving", "delivered"];
const services = ["express", "insured", "signed"];
const maxWeight = 31.5;

const firstParcels: readonly Parcel[] = [
  {
    ...{ number: "PX10023", status: "registered", weight: 1.25, services: [], delivered_at: null },
    recipient: { name: "J. Moreau", phone: null },
  },
  {
    ...{ number: "PX10024", status: "delivered", weight: 0.8, services: ["insured", "express"] },
    delivered_at: "2009-11-20T14:03:00Z",
    recipient: { name: "P. Lindqvist", phone: "+46 8 555 0100" },
  },
  {
    ...{ number: "PX10029", status: "moving", weight: 4, services: ["signed"], delivered_at: null },
    recipient: null,
  },
];

/** Starts a server of `openapi.yaml`, with one mistake if `fault` names one. */
export async function startParcels(fault?: ParcelFault): Promise<ParcelServer> {
  const has = (name: ParcelFault) => fault === name;
  const parcels = new Map<string, Parcel>();
  const reset = () => {
    parcels.clear();
    for (const parcel of firstParcels) parcels.set(parcel.number, parcel);
  };
  reset();

  const requireKey = (key: unknown, isLax = false) => {
    if (key !== parcelKey && !isLax) throw new Refusal(refusal(401, "no or unknown key"));
  };
  const find = ({ path: [number = ""] }: ApiRequest): Parcel => {
    const parcel = parcels.get(number);
    if (parcel === undefined) throw new Refusal(refusal(404, "no such parcel"));
    return parcel;
  };
  const operation = (
    ...[method, path, id, handle, isOpen = false]: [string, string, string, Route["handle"], boolean?]
  ): Route => ({
    ...{ operation: id, method, path: new RegExp(`^/api/1${path.replace("{number}", "([^/]+)")}$`) },
    handle: (request) => {
      if (!isOpen) requireKey(request.headers["x-parcel-key"], has("list-anonymous") && id === "list_parcels");
      return handle(request);
    },
  });

  const routes: Route[] = [
    operation("GET", "/parcels", "list_parcels", ({ query }) => {
      const wanted = query.getAll("status");
      if (has("list-one-status") && wanted.length > 1) throw new Error("status must be a text");
      requireSome(wanted, statuses, "status");
      const min = query.has("heavier_than") ? readWeight(query, "heavier_than", Infinity) : 0;
      const limit = query.get("limit") ?? "500";
      if (!/^\d+$/.test(limit) || Number(limit) < 1 || Number(limit) > 500) throw new Refusal(malformed("limit"));
      const found = [...parcels.values()].filter(
        ({ status, weight }) => (wanted.length === 0 || wanted.includes(status)) && weight > min,
      );
      return json({ parcels: found.slice(0, Number(limit)), next: null });
    }),
    operation("POST", "/parcels", "register_parcel", (request) => {
      const form = readForm(request);
      if (has("register-weightless") && !form.has("weight")) throw new Error("weight of undefined");
      const recipient = readRecipient(form);
      const weight = readWeight(form, "weight");
      const wanted = form.getAll("services");
      if (has("register-one-service") && wanted.length > 1) throw new Error("services must be a text");
      requireSome(wanted, services, "services");
      const number = `PX${10_030 + parcels.size}`;
      const fresh = { number, status: "registered", weight, services: wanted, delivered_at: null, recipient };
      parcels.set(number, fresh);
      return text(200, number);
    }),
    operation("GET", "/parcels/{number}", "get_parcel", (request) => json(find(request))),
    // A parcel that was cancelled stays known: clients of this old service cancel again when they are not sure.
    operation("DELETE", "/parcels/{number}", "cancel_parcel", (request) => {
      find(request);
      return text(200, "CANCELLED");
    }),
    operation("GET", "/parcels/{number}/status", "get_status", (request) =>
      text(200, find(request).status, { "X-Changed": "1258725780" }),
    ),
    operation("POST", "/parcels/{number}/recipient", "set_recipient", (request) => {
      const parcel = { ...find(request), recipient: readRecipient(readForm(request)) };
      parcels.set(parcel.number, parcel);
      return json(parcel);
    }),
    operation(
      "GET",
      "/labels/{number}",
      "print_label",
      (request) => {
        const key = request.query.get("key");
        requireKey(key, has("label-any-key") && key !== null);
        const body = `%PDF-1.4\n% ${find(request).number}\n`;
        return { status: 200, headers: { "Content-Type": "application/pdf" }, body };
      },
      true,
    ),
    operation(
      "GET",
      "/rates",
      "quote_rate",
      ({ query }) => {
        const wanted = query.get("services")?.split(",") ?? [];
        requireSome(wanted, services, "services");
        return text(200, (4 * readWeight(query, "weight")).toFixed(2));
      },
      true,
    ),
    operation(
      "GET",
      "/depots",
      "list_depots",
      () =>
        json([
          { code: "LYS", open: true, capacity: 1200 },
          { code: "BSL", open: false, capacity: null },
        ]),
      true,
    ),
    {
      ...{ operation: "states", method: "POST", path: /^\/states$/ },
      handle: () => {
        reset();
        return json({ credentials: { caller: { key: parcelKey } } });
      },
    },
  ];

  const { origin, close } = await serveRoutes(
    routes.filter(({ operation }) => !(has("cancel-missing") && operation === "cancel_parcel")),
    {
      fault: fault === undefined ? undefined : (parcelFaults[fault] as Fault),
      refuse: (status, title) => refusal(status, title),
    },
  );
  return { url: `${origin}/api/1`, statesUrl: `${origin}/states`, close };
}

function readForm({ headers, body }: ApiRequest): URLSearchParams {
  if (headers["content-type"]?.split(";")[0] !== "application/x-www-form-urlencoded") {
    throw new Refusal(malformed("Content-Type"));
  }
  return new URLSearchParams(body.toString("utf8"));
}

function readRecipient(form: URLSearchParams): Parcel["recipient"] {
  const name = form.get("name");
  if (name === null || name === "") throw new Refusal(malformed("name"));
  return { name, phone: form.get("phone") };
}

function readWeight(parameters: URLSearchParams, name: string, max = maxWeight): number {
  const given = parameters.get(name) ?? "";
  const weight = Number(given);
  if (given.trim() === "" || !(weight > 0 && weight <= max)) throw new Refusal(malformed(name));
  return weight;
}

function requireSome(values: readonly string[], known: readonly string[], name: string): void {
  if (values.some((value) => !known.includes(value))) throw new Refusal(malformed(name));
}

function malformed(name: string): ApiAnswer {
  return refusal(400, `${name} is missing or malformed`);
}

function refusal(status: number, reason: string): ApiAnswer {
  return text(status, `E${String(status % 100).padStart(2, "0")}: ${reason}`);
}

function text(status: number, body: string, headers: Readonly<Record<string, string>> = {}): ApiAnswer {
  return { status, headers: { "Content-Type": "text/plain; charset=utf-8", ...headers }, body };
}

function json(body: unknown): ApiAnswer {
  return { status: 200, headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
}
