import type { JsonObject, JsonValue } from "@bufbuild/protobuf";

/** The name and value of a header or trailer. */
export type MetadataEntry = readonly [name: string, value: string];

/** A detail of an error: a message of any type. */
export interface ErrorDetail {
  readonly type: string;
  readonly value: Uint8Array;
  /** The detail as JSON, which servers may add over Connect. */
  readonly debug?: string;
}

/** Converts a detail of an error. */
export function detailOf({ type, value, debug }: { type: string; value: Uint8Array; debug?: JsonValue }): ErrorDetail {
  return { type, value, debug: debug === undefined ? undefined : JSON.stringify(debug) };
}

/** The result of a call. */
export type RpcAnswer =
  | {
      readonly kind: "reply";
      /** ProtoJSON, including fields with their default value. */
      readonly reply: JsonObject;
      /** The message in the binary format, including unknown fields. */
      readonly bytes: Uint8Array;
      /** Headers, then trailers. */
      readonly metadata: readonly MetadataEntry[];
    }
  | {
      readonly kind: "error";
      /** As Connect spells it, such as `not_found`. */
      readonly code: string;
      readonly message: string;
      readonly details: readonly ErrorDetail[];
      readonly metadata: readonly MetadataEntry[];
    }
  /** Not a response of the RPC protocol, or cut off by the end of the connection. */
  | {
      readonly kind: "malformed";
      readonly text: string;
      readonly metadata: readonly MetadataEntry[];
      /** Whether the end of the connection cut it off, for which another call may be to blame. Defaults to false. */
      readonly isCut?: true;
    }
  /** More than is read. */
  | { readonly kind: "too-large"; readonly text: string; readonly metadata: readonly MetadataEntry[] }
  /** Nothing listens at the address, or a server of another protocol does, or the connection ended before any response. */
  | {
      readonly kind: "unreachable";
      readonly text: string;
      readonly help: string;
      /** Whether the connection was made, and ended before any response. Defaults to false. */
      readonly isDropped?: true;
      /** Whether it ended before the server had read all that was sent. Defaults to false. */
      readonly isUnread?: true;
    }
  /** The timeout elapsed. */
  | { readonly kind: "timeout"; readonly afterMs: number };

/** The form of a request. */
export interface RequestForm {
  /** Adds a field that the contract lacks. Defaults to false. */
  readonly extended?: boolean;
  /** Adds bytes that no parser of Protobuf reads. Defaults to false. */
  readonly broken?: boolean;
  /** Cancels the call. Its response is then the error `canceled`. */
  readonly cancel?: AbortSignal;
  /** The account that makes the call, if it is not the first of the run. */
  readonly as?: "other";
}

/** Makes a call with a request in ProtoJSON. Rejects only when aborted. */
export type CallRpc = (rpc: string, request: JsonObject, form?: RequestForm) => Promise<RpcAnswer>;
