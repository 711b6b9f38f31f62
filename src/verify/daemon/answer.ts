import type { JsonObject } from "@bufbuild/protobuf";
import type { DaemonRpc } from "../../contract/daemon/rpcs.js";

/** Name and value. */
export type MetadataEntry = readonly [name: string, value: string];

/** A detail of an error: any message, with its type. */
export interface ErrorDetail {
  readonly type: string;
  readonly value: Uint8Array;
  /** The detail as JSON, which servers may add on Connect. */
  readonly debug?: string;
}

/** What came of a call. */
export type Answer =
  | {
      readonly kind: "reply";
      /** ProtoJSON, with the fields that have their default value. */
      readonly reply: JsonObject;
      /** The message in protobuf's binary format, with unknown fields. */
      readonly bytes: Uint8Array;
      /** Headers, then trailers. */
      readonly metadata: readonly MetadataEntry[];
    }
  | {
      readonly kind: "error";
      /** In the spelling of Connect, such as `not_found`. */
      readonly code: string;
      readonly message: string;
      readonly details: readonly ErrorDetail[];
      readonly metadata: readonly MetadataEntry[];
    }
  /** Something else than an RPC answers with, or a connection that ended within the answer. */
  | { readonly kind: "malformed"; readonly text: string; readonly metadata: readonly MetadataEntry[] }
  /** Nothing listens at the address, or something that speaks another protocol, or the connection ended before any answer. */
  | { readonly kind: "unreachable"; readonly text: string; readonly help: string }
  /** There was no answer in time. */
  | { readonly kind: "timeout"; readonly afterMs: number };

/** Makes a call with a request in ProtoJSON. Rejects only when it is aborted. */
export type CallDaemon = (rpc: DaemonRpc, request: JsonObject) => Promise<Answer>;
