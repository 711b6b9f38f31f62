import type { Case } from "../../../src/contract/rest/cases.js";
import type { ContractDocument } from "../../../src/contract/rest/document.js";

/** The data of the console of an operation, which it loads from a file of its own. */
export interface OperationData {
  readonly operationId: string;
  readonly fields: Readonly<Record<string, FieldData>>;
  readonly cases: readonly CaseData[];
  /** The part of the contract that responses of the operation are compared with. */
  readonly contract: ContractDocument;
}

/** A parameter of an operation. */
export interface FieldData {
  /** The values that the contract lists, if it lists them. */
  readonly choices?: readonly unknown[];
  readonly deprecated?: true;
}

/** A case without its response. */
export type CaseData = Pick<Case, "operationId" | "name" | "summary" | "as" | "given" | "bind" | "request"> & {
  readonly response: Pick<Case["response"], "status">;
  /** The levels at which the rule of the case holds. Defaults to all. */
  readonly since?: number;
  readonly until?: number;
};

/** The data of the console of an RPC. */
export interface RpcData {
  readonly rpc: string;
  /** The path of a call over Connect. */
  readonly path: string;
  readonly cases: readonly RpcCaseData[];
}

/** A case of an RPC without its response. */
export interface RpcCaseData {
  readonly name: string;
  readonly summary: string;
  readonly request: object;
}
