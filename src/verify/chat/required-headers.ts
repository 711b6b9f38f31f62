import type { ResponseObject } from "../../contract/chat/document.js";

/** The names of the headers that every such response has. */
export function requiredHeaders({ headers = {} }: Pick<ResponseObject, "headers">): string[] {
  return Object.entries(headers).flatMap(([name, header]) => (isRequired(header) ? [name] : []));
}

function isRequired(header: unknown): boolean {
  return typeof header === "object" && header !== null && "required" in header && header.required === true;
}
