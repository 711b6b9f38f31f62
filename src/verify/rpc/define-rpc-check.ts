import type { JsonObject } from "@bufbuild/protobuf";
import type { CallForm } from "../../contract/check.js";
import type { RpcCase } from "../../contract/rpc/cases.js";
import type { RpcContract } from "../../contract/rpc/contract.js";
import type { ServedHost } from "../../contract/served-host.js";
import type { TextsBySurface } from "../../judge/rpc/readable-texts.js";
import type { CheckedServer, Verdicts } from "../run/define-check.js";
import type { LogSearch } from "./search-log.js";

/** A check in code of a contract of RPCs. One with the id of a case, such as `case get-book`, takes its place: the case stays an example. */
export interface RpcCodeCheck {
  /** Unique and stable, such as `workflow search-pages`. */
  readonly id: string;
  /** The service or subject that it is about. Defaults to the RPC of its case. */
  readonly operation?: string;
  /** What it shows, as a sentence. Defaults to that of its case. */
  readonly summary?: string;
  /** The rules that it shows. Defaults to those that its case names, without those that another check in code names here. */
  readonly rules?: readonly string[];
  /** The RPCs that it calls, besides those of its case. If the server lacks one, or if the run may not call one, the check is skipped. */
  readonly calls?: readonly string[];
  /** Whether it runs after all others. */
  readonly isLast?: true;
  /** Reports what is wrong with `fail`. */
  readonly run: (server: CheckedRpcServer) => Promise<void>;
}

/** The server that a check in code calls, and the contract that it should keep. */
export interface CheckedRpcServer extends Verdicts, Pick<CheckedServer, "signal" | "setUp"> {
  readonly contract: RpcContract;
  /** The same object for all checks of a run. */
  readonly run: object;
  /** The ids of the checks that are selected, also those that another part of the run has. */
  readonly selected: ReadonlySet<string>;
  /** Whether the run may call an RPC. */
  readonly mayCall: (rpc: string) => boolean;
  /** Starts a host that the server may fetch from, until the end of the check. */
  readonly serve: (host: ServedHost) => Promise<CheckedHost>;
  /** Calls an RPC, with a request in ProtoJSON. */
  readonly call: (rpc: string, request: JsonObject, form?: CallForm) => Promise<RpcExchange>;
  /** Makes the calls of a case; by default, of that whose place the check takes. */
  readonly runCase: (options?: RunCaseOptions) => Promise<CaseRun>;
  /** Whether the server fetches from the loopback interface, as the probe `fetch` of the contract shows. */
  readonly fetches: () => Promise<boolean>;
  /** The log of the server. Undefined without `--log-file`. */
  readonly log?: CheckedLog;
  /** Texts that reports must not show, besides the fields that the contract calls secret. */
  readonly conceal: (texts: readonly string[]) => void;
  /** Ends the check, which could not run. */
  readonly giveUp: (reason: string, help?: string) => never;
}

/** A host that a check serves. */
export interface CheckedHost {
  /** Its name and port, such as `127.0.0.1:4711`. */
  readonly address: string;
  /** The number of requests to it. */
  readonly count: number;
}

/** How to run a case. */
export interface RunCaseOptions {
  readonly name?: string;
  readonly form?: CallForm;
  /** Changes the request of its own call, in which `{$host.address}` is the host of the case. */
  readonly change?: (request: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;
  /** Whether the caller cancels its own call once the host has a request, whose connection then stays open for half a second. */
  readonly isCanceled?: boolean;
  /** Whether the case leaves open how the server responds, so that only what no response may do is judged. */
  readonly isOpen?: boolean;
}

/** What came of a case. */
export interface CaseRun {
  readonly example: RpcCase;
  /** The response to its own call. Undefined if an earlier one ended it. */
  readonly exchange: RpcExchange | undefined;
  /** The number of requests to its host. Undefined if that accepts none. */
  readonly fetched: number | undefined;
  /** Ends the check with what the case found, if that is more than that all is well. */
  readonly conclude: () => void;
}

/** A response to an RPC. */
export interface RpcExchange {
  /** `ok`, the code of an error such as `not_found`, `malformed`, `too-large`, `timeout` or `unreachable`. */
  readonly status: string;
  /** ProtoJSON, with default values. Undefined for an error. */
  readonly reply?: JsonObject;
  readonly texts: TextsBySurface;
}

/** A log that the server writes. */
export interface CheckedLog {
  readonly path: string;
  /** Searches what was written since the run began for secrets, which each belong to a named case. */
  readonly search: (
    owners: readonly { readonly name: string; readonly secrets: readonly string[] }[],
  ) => Promise<LogSearch>;
  /** Waits until it has not grown for a second, since loggers write late. */
  readonly untilQuiet: () => Promise<void>;
}

/** Defines a check in code of a contract of RPCs. A file in the folder `checks` beside its `cases` exports it, alone or in a list. */
export function defineRpcCheck(check: RpcCodeCheck): RpcCodeCheck {
  return check;
}
