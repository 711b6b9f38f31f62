import { valueAt } from "../../../contract/json-pointer.js";
import { conventionsOf } from "../../../contract/rest/conventions.js";
import type { ContractDocument } from "../../../contract/rest/document.js";

type Conventional = Pick<ContractDocument, "x-accord">;

/** An error of the proxy, in the form of the API's own errors, or else of RFC 9457. */
export function ownError(document: Conventional, message: string, code: string): object {
  const { error } = conventionsOf(document);
  if (error?.body === undefined) return { title: code, detail: message };
  const members = Object.entries(error.body).map(([pointer, matcher]): [string, unknown] => {
    if (pointer === error.code) return [pointer, code];
    return [pointer, typeof matcher === "object" ? message : matcher];
  });
  return Object.fromEntries(members.map(([pointer, value]) => [pointer.slice(1), value]));
}

/** The code and texts of an error. */
export function textsOfError(document: Conventional, body: unknown): string[] {
  const { error } = conventionsOf(document);
  const open = Object.entries(error?.body ?? { "/title": {}, "/detail": {}, "/message": {} }).flatMap(
    ([pointer, matcher]) => (typeof matcher === "object" && pointer !== error?.code ? [pointer] : []),
  );
  return [error?.code ?? [], open].flat().flatMap((pointer) => {
    const text = valueAt(body, pointer);
    return typeof text === "string" ? [text] : [];
  });
}
