import { type ApiAnswer, changeHeaders, changeJson, type Fault } from "../http-api.js";
import type { Exhibit } from "./exhibit.js";

const changeExhibit = (operation: string, change: (exhibit: Exhibit) => unknown): NonNullable<Fault["spoil"]> => ({
  operation,
  change: changeJson(change),
});

const changeStatus = (from: number, to: number) => (answer: ApiAnswer) =>
  answer.status === from ? { ...answer, status: to } : answer;

/** The mistakes that the museum's server can make. Those without `spoil` are in its handlers. */
export const museumFaults = {
  "create-status": {
    does: "answers 200 instead of 201",
    blames: "createExhibit",
    spoil: { operation: "createExhibit", change: changeStatus(201, 200) },
  },
  "create-without-location": {
    does: "sends no Location",
    blames: "createExhibit",
    spoil: { operation: "createExhibit", change: changeHeaders({ Location: undefined }) },
  },
  "create-other-location": {
    does: "sends the Location of another exhibit",
    blames: "exhibits.create.location",
    spoil: { operation: "createExhibit", change: changeHeaders({ Location: "/v2/exhibits/17" }) },
  },
  "create-other-fields": {
    does: "returns another title",
    blames: "exhibits.create.repeats",
    spoil: changeExhibit("createExhibit", (exhibit) => ({ ...exhibit, title: exhibit.title.toUpperCase() })),
  },
  "create-any-room": { does: "accepts any room", blames: "exhibits.create.unknown-room" },
  "create-for-visitors": { does: "lets visitors add exhibits", blames: "exhibits.create.curators" },
  "list-object": {
    does: "wraps the list in an object",
    blames: "listExhibits",
    spoil: { operation: "listExhibits", change: changeJson((items) => ({ items })) },
  },
  "list-item-type": {
    does: "returns the materials of the second exhibit as a text",
    blames: "listExhibits",
    spoil: {
      operation: "listExhibits",
      change: changeJson((items: Exhibit[]) =>
        items.map((item, index) => (index === 1 ? { ...item, materials: item.materials.join() } : item)),
      ),
    },
  },
  "list-without-total": {
    does: "sends no X-Total-Count",
    blames: "listExhibits",
    spoil: { operation: "listExhibits", change: changeHeaders({ "X-Total-Count": undefined }) },
  },
  "list-ignores-room": { does: "ignores `room`", blames: "exhibits.list.rooms" },
  "list-first-room": { does: "takes only the first value of `room`", blames: "exhibits.list.rooms" },
  "list-ignores-ids": { does: "ignores `ids`", blames: "exhibits.list.ids" },
  "list-ignores-material": { does: "ignores `material`", blames: "exhibits.list.materials" },
  "list-ignores-made": { does: "ignores `made`", blames: "exhibits.list.made" },
  "list-ignores-language": { does: "ignores Accept-Language", blames: "exhibits.list.language" },
  "list-reversed": {
    does: "lists the newest exhibit first",
    blames: "exhibits.list.order",
    spoil: { operation: "listExhibits", change: changeJson((items: Exhibit[]) => items.toReversed()) },
  },
  "list-any-token": { does: "accepts any token", blames: "listExhibits" },
  "get-first": { does: "returns the first exhibit, whatever the id", blames: "exhibits.get.id" },
  "get-null": {
    does: "returns null as a title",
    blames: "getExhibit",
    spoil: changeExhibit("getExhibit", (exhibit) => ({ ...exhibit, title: null })),
  },
  "get-missing-field": {
    does: "omits a field that may be null",
    blames: "getExhibit",
    spoil: changeExhibit("getExhibit", ({ donor: _, ...rest }) => rest),
  },
  "get-unknown-enum": {
    does: "returns a room that the contract lacks",
    blames: "getExhibit",
    spoil: changeExhibit("getExhibit", (exhibit) => ({ ...exhibit, room: "attic" })),
  },
  "get-without-etag": {
    does: "sends no ETag",
    blames: "getExhibit",
    spoil: { operation: "getExhibit", change: changeHeaders({ ETag: undefined }) },
  },
  "get-error-media-type": {
    does: "sends problems as application/json",
    blames: "getExhibit",
    spoil: {
      operation: "getExhibit",
      change: (answer) =>
        answer.status < 400
          ? answer
          : { ...answer, headers: { ...answer.headers, "Content-Type": "application/json" } },
    },
  },
  "get-error-type": {
    does: "reports an unknown exhibit as another problem",
    blames: "exhibits.get.unknown",
    spoil: {
      operation: "getExhibit",
      change: (answer) => ({ ...answer, body: String(answer.body).replace("/not-found", "/no-such-page") }),
    },
  },
  "get-error-status": {
    does: "answers 410 for an unknown exhibit",
    blames: "exhibits.get.unknown",
    spoil: { operation: "getExhibit", change: changeStatus(404, 410) },
  },
  "get-anonymous": { does: "needs no token", blames: "getExhibit" },
  "put-missing": { does: "has no PUT", blames: "replaceExhibit" },
  "put-merges": { does: "keeps fields that the request omits", blames: "exhibits.replace.all" },
  "patch-resets": { does: "resets fields that the request omits", blames: "exhibits.update.others" },
  "patch-media-type": {
    does: "returns the exhibit as text/plain",
    blames: "updateExhibit",
    spoil: { operation: "updateExhibit", change: changeHeaders({ "Content-Type": "text/plain" }) },
  },
  "delete-status": {
    does: "answers 200 with a body",
    blames: "deleteExhibit",
    spoil: {
      operation: "deleteExhibit",
      change: (answer) => (answer.status === 204 ? { status: 200, body: '{"deleted": true}' } : answer),
    },
  },
  "delete-keeps": { does: "keeps the exhibit", blames: "exhibits.delete.gone" },
  "image-media-type": {
    does: "sends images as application/octet-stream",
    blames: "getImage",
    spoil: { operation: "getImage", change: changeHeaders({ "Content-Type": "application/octet-stream" }) },
  },
  "image-as-text": { does: "stores images as text", blames: "images.same" },
  "hours-ignores-cookie": { does: "ignores the cookie", blames: "hours.site" },
  "tickets-twice": { does: "sells tickets again for the same key", blames: "tickets.idempotent" },
  "tickets-without-key": { does: "sells tickets without an Idempotency-Key", blames: "buyTickets" },
  "tickets-short-key": { does: "accepts an Idempotency-Key that is too short", blames: "buyTickets" },
  "tickets-both-prices": {
    does: "mixes the fields of two alternatives",
    blames: "buyTickets",
    spoil: {
      operation: "buyTickets",
      change: changeJson((tickets: { price: object }) => ({
        ...tickets,
        price: { ...tickets.price, reason: "Open day" },
      })),
    },
  },
} satisfies Record<string, Fault>;

/** The name of a mistake. */
export type MuseumFault = keyof typeof museumFaults;
