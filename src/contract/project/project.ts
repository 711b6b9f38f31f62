import type { Matcher } from "../matcher.js";

/** A folder with an `accord.yaml`. */
export interface Project {
  /** The path of the `accord.yaml`. */
  readonly file: string;
  readonly contracts: readonly ProjectContract[];
}

/** A contract of a project: where its document is, and what the document cannot say. Paths are absolute. */
export type ProjectContract = RestProjectContract | RpcProjectContract;

/** A contract in OpenAPI. Its rules, states, workflows and checks in code lie beside its root document. */
export interface RestProjectContract {
  readonly kind: "rest";
  readonly name: string;
  /** The root document. */
  readonly openapi: string;
  readonly error?: ErrorForm;
  readonly level?: LevelSource;
  readonly credentials: CredentialFields;
  /** Who calls if a case does not say so. */
  readonly caller: string;
}

/** A contract in Protobuf. Its cases lie beside its files in `cases`. */
export interface RpcProjectContract {
  readonly kind: "rpc";
  readonly name: string;
  /** A folder of `.proto` files, or the file of a descriptor set. */
  readonly proto: string;
}

/** How to recognize the API's own errors. */
export interface ErrorForm {
  /** Matchers by JSON pointer into the body. */
  readonly body: Readonly<Record<string, Matcher>>;
  /** A JSON pointer to the code of the error. */
  readonly code?: string;
}

/** Where a server says which feature level it has. */
export interface LevelSource {
  /** The id of the operation. */
  readonly call: string;
  /** A JSON pointer into the body of its response. */
  readonly at: string;
  /** A JSON pointer to the version of the server. */
  readonly version?: string;
}

/** The names of the credentials of a caller in the answers of provider states. */
export interface CredentialFields {
  readonly username: string;
  readonly password: string;
  readonly token: string;
  readonly key: string;
}

/** The credentials of a caller if `accord.yaml` names none. */
export const defaultCredentials: CredentialFields = {
  username: "username",
  password: "password",
  token: "token",
  key: "key",
};
