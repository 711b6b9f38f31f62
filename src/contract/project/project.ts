import type { Conventions } from "../rest/conventions.js";

/** The name of the file that lists the contracts of a project. */
export const projectFileName = "accord.yaml";

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
  readonly conventions: Conventions;
  /** Names of operations and checks that no run sends. */
  readonly exclude?: readonly string[];
}

/** A contract in Protobuf. Its cases lie beside its files in `cases`. */
export interface RpcProjectContract {
  readonly kind: "rpc";
  readonly name: string;
  /** A folder of `.proto` files, or the file of a descriptor set. */
  readonly proto: string;
  /** Names of RPCs that change nothing, besides those that say so themselves. */
  readonly reads?: readonly string[];
  /** Names of RPCs and checks that no run sends. */
  readonly exclude?: readonly string[];
}
