import type { LoginScheme } from "../../contract/rest/security.js";
import type { Operation } from "../../request/operation.js";

/** What a client and a server of a contract need of an operation. */
export interface ApiOperation extends Operation {
  /** The names of the security schemes of each alternative. Undefined for those of the document; empty for none. */
  readonly security?: readonly (readonly string[])[];
  /** The media types of each documented response, by status, `4XX` or `default`. Undefined if a response is always JSON. */
  readonly responses?: Readonly<Record<string, readonly string[]>>;
}

/** A contract in OpenAPI, as far as clients and servers need it at run time. `accord generate` writes it. */
export interface Api {
  /** The absolute URL of the document, if it has one. */
  readonly url?: string;
  /** The path that precedes those of the operations, such as `/v1`. */
  readonly basePath: string;
  readonly operations: Readonly<Record<string, ApiOperation>>;
  readonly schemes: Readonly<Record<string, LoginScheme>>;
  /** The alternatives of operations that have none of their own. */
  readonly security: readonly (readonly string[])[];
  /** The members that every success has, with their values. */
  readonly success?: Readonly<Record<string, unknown>>;
  readonly error?: ErrorForm;
}

/** How errors look. */
export interface ErrorForm {
  /** The members that every error has, with their values, and the names of those that hold a message. */
  readonly members: Readonly<Record<string, unknown>>;
  readonly messages: readonly string[];
  /** The member that holds a code. */
  readonly code?: string;
}

/** The documented media types of a status. Undefined if the contract does not document it, or always has JSON. */
export function typesOfResponse(responses: ApiOperation["responses"], status: number): readonly string[] | undefined {
  return responses?.[status] ?? responses?.[`${Math.floor(status / 100)}XX`] ?? responses?.default;
}
