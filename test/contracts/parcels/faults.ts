import { type ApiAnswer, changeHeaders, changeJson, type Fault } from "../http-api.js";
import type { Parcel } from "./parcel.js";

const changeText = (
  operation: string,
  change: (answer: ApiAnswer) => Partial<ApiAnswer>,
): NonNullable<Fault["spoil"]> => ({
  operation,
  change: (answer) => (answer.status >= 300 ? answer : { ...answer, ...change(answer) }),
});

const changeParcel = (change: (parcel: Parcel) => unknown): NonNullable<Fault["spoil"]> => ({
  operation: "get_parcel",
  change: changeJson(change),
});

/** The mistakes that the parcel service can make. Those without `spoil` are in its handlers. */
export const parcelFaults = {
  "list-item-null": {
    does: "returns null as the second parcel",
    blames: "list_parcels",
    spoil: {
      operation: "list_parcels",
      change: changeJson(({ parcels, next }: { parcels: Parcel[]; next: null }) => ({
        parcels: parcels.map((parcel, index) => (index === 1 ? null : parcel)),
        next,
      })),
    },
  },
  "list-without-next": {
    does: "omits `next` instead of sending null",
    blames: "list_parcels",
    spoil: { operation: "list_parcels", change: changeJson(({ next: _, ...rest }: { next: null }) => rest) },
  },
  "list-one-status": { does: "refuses a second `status`", blames: "list_parcels" },
  "list-anonymous": { does: "needs no key", blames: "list_parcels" },
  "register-json": {
    does: "returns the number as JSON",
    blames: "register_parcel",
    spoil: changeText("register_parcel", ({ body }) => ({
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ number: String(body) }),
    })),
  },
  "register-status": {
    does: "answers 201",
    blames: "register_parcel",
    spoil: changeText("register_parcel", () => ({ status: 201 })),
  },
  "register-one-service": { does: "refuses a second `services`", blames: "register_parcel" },
  "register-weightless": { does: "crashes without a weight", blames: "register_parcel" },
  "get-zero-weight": {
    does: "returns a weight of 0",
    blames: "get_parcel",
    spoil: changeParcel((parcel) => ({ ...parcel, weight: 0 })),
  },
  "get-unknown-status": {
    does: "returns a status that the contract lacks",
    blames: "get_parcel",
    spoil: changeParcel((parcel) => ({ ...parcel, status: "lost" })),
  },
  "get-null-services": {
    does: "returns null instead of no services",
    blames: "get_parcel",
    spoil: changeParcel((parcel) => ({ ...parcel, services: null })),
  },
  "get-text-weight": {
    does: "returns the weight as a text",
    blames: "get_parcel",
    spoil: changeParcel((parcel) => ({ ...parcel, weight: String(parcel.weight) })),
  },
  "get-empty-name": {
    does: "returns an empty name",
    blames: "get_parcel",
    spoil: changeParcel((parcel) => ({ ...parcel, recipient: { name: "", phone: null } })),
  },
  "cancel-other-text": {
    does: "answers with another text",
    blames: "cancel_parcel",
    spoil: changeText("cancel_parcel", () => ({ body: "OK" })),
  },
  "cancel-missing": { does: "has no DELETE", blames: "cancel_parcel" },
  "status-without-header": {
    does: "sends no X-Changed",
    blames: "get_status",
    spoil: { operation: "get_status", change: changeHeaders({ "X-Changed": undefined }) },
  },
  "status-quoted": {
    does: "puts the status in quotation marks",
    blames: "get_status",
    spoil: changeText("get_status", ({ body }) => ({ body: JSON.stringify(String(body)) })),
  },
  "label-as-text": {
    does: "sends the label as text/html",
    blames: "print_label",
    spoil: { operation: "print_label", change: changeHeaders({ "Content-Type": "text/html" }) },
  },
  "label-any-key": { does: "accepts any key in the query", blames: "print_label" },
  "rate-one-digit": {
    does: "returns prices with one decimal",
    blames: "quote_rate",
    spoil: changeText("quote_rate", ({ body }) => ({ body: String(body).slice(0, -1) })),
  },
  "depots-as-object": {
    does: "returns depots by their codes",
    blames: "list_depots",
    spoil: {
      operation: "list_depots",
      change: changeJson((depots: { code: string }[]) => Object.fromEntries(depots.map((one) => [one.code, one]))),
    },
  },
  "errors-in-html": {
    does: "sends errors as pages in HTML",
    blames: "get_parcel",
    spoil: {
      operation: "get_parcel",
      change: (answer) =>
        answer.status < 400 ? answer : { ...answer, headers: { "Content-Type": "text/html" }, body: "<h1>Error</h1>" },
    },
  },
} satisfies Record<string, Fault>;

/** The name of a mistake. */
export type ParcelFault = keyof typeof parcelFaults;
