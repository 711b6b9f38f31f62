import { fromBinary } from "@bufbuild/protobuf";
import { type FileDescriptorProto, FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import { type CallOptions, createClient, type Transport } from "@connectrpc/connect";
import {
  type ServerReflectionResponse,
  ServerReflection as V1,
} from "../../../generated/grpc/reflection/v1/reflection_pb.js";
import {
  type ServerReflectionResponse as AlphaResponse,
  ServerReflection as V1Alpha,
} from "../../../generated/grpc/reflection/v1alpha/reflection_pb.js";
import type { Pace } from "../pace.js";
import { type CallMetadata, noMetadata } from "./call-metadata.js";

/** What server reflection of either version says. Each resolves to undefined if it says nothing, and rejects only when aborted. */
export interface ServerReflection {
  /** The files that describe a type or a service, by its full name. */
  readonly describe: DescribeType;
  readonly services: () => Promise<readonly string[] | undefined>;
}

/** Returns the files with which a server describes a type of the contract. Undefined if it does not. Rejects only when aborted. */
export type DescribeType = (name: string) => Promise<readonly FileDescriptorProto[] | undefined>;

/** Limits of a call of server reflection. */
export interface ReflectionLimits {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** The pace of the run, if it has one. */
  readonly pace?: Pace;
  /** The metadata of the call. Defaults to none. */
  readonly metadata?: CallMetadata;
}

type Question = { readonly case: "fileContainingSymbol" | "listServices"; readonly value: string };
type Answer = (ServerReflectionResponse | AlphaResponse)["messageResponse"];

/** Creates the questions to server reflection. */
export function createServerReflection(
  transport: Transport,
  { timeoutMs, signal, pace, metadata = noMetadata }: ReflectionLimits,
): ServerReflection {
  const [current, older] = [createClient(V1, transport), createClient(V1Alpha, transport)];
  const versions = [
    (messageRequest: Question, options: CallOptions) => current.serverReflectionInfo(once({ messageRequest }), options),
    (messageRequest: Question, options: CallOptions) => older.serverReflectionInfo(once({ messageRequest }), options),
  ];
  const ask = async <Found>(question: Question, read: (answer: Answer) => Found | undefined) => {
    for (const call of versions) {
      await pace?.(signal);
      try {
        // A signal of its own, since the stream listens to it until its end.
        const options = { timeoutMs, signal: AbortSignal.any([signal]), headers: metadata.headers() };
        for await (const { messageResponse } of call(question, options)) {
          const found = read(messageResponse);
          if (found !== undefined) return found;
          break;
        }
      } catch {
        // A server need not offer reflection.
        signal.throwIfAborted();
      }
    }
    return undefined;
  };
  return {
    describe: (name) =>
      ask({ case: "fileContainingSymbol", value: name }, (answer) =>
        answer.case === "fileDescriptorResponse"
          ? answer.value.fileDescriptorProto.map((bytes) => fromBinary(FileDescriptorProtoSchema, bytes))
          : undefined,
      ),
    services: () =>
      ask({ case: "listServices", value: "*" }, (answer) =>
        answer.case === "listServicesResponse" ? answer.value.service.map(({ name }) => name) : undefined,
      ),
  };
}

async function* once<Value>(value: Value): AsyncIterable<Value> {
  yield value;
}
