import { type DescMessage, fromBinary, fromJson, type Message, toBinary } from "@bufbuild/protobuf";
import { codeToString } from "@connectrpc/connect/protocol-connect";
import { Client, credentials, Metadata, type ServiceError, type StatusObject } from "@grpc/grpc-js";
import { methodOf } from "../../../src/daemon/daemon-methods.js";
import type { CallRpc, MetadataEntry, RpcAnswer } from "../../../src/judge/rpc/answer.js";
import { replyOf } from "../../../src/verify/rpc/create-call.js";

/** Creates a function that makes calls with `@grpc/grpc-js`, which shares no code with the client of this package. */
export function createGrpcJsCall(address: string): { readonly call: CallRpc; readonly close: () => void } {
  const client = new Client(address.replace("http://", ""), credentials.createInsecure());
  const call: CallRpc = (rpc, request) => {
    const method = methodOf(rpc);
    const { input, output } = method;
    const metadata: MetadataEntry[] = [];
    return new Promise<RpcAnswer>((resolve) => {
      const made = client.makeUnaryRequest(
        `/proxydaemon.v1.${rpc}`,
        (message: Message) => Buffer.from(toBinary<DescMessage>(input, message)),
        (bytes) => fromBinary(output, bytes),
        fromJson(input, request),
        new Metadata(),
        { deadline: Date.now() + 300_000 },
        (error: ServiceError | null, reply) => {
          if (error !== null || reply === undefined) resolve(errorOf(error, metadata));
          // The status arrives after the reply.
          else made.on("status", () => resolve(replyOf(method, reply, metadata)));
        },
      );
      made.on("metadata", (headers) => metadata.push(...entriesOf(headers)));
      made.on("status", (status: StatusObject) => metadata.push(...entriesOf(status.metadata)));
    });
  };
  return { call, close: () => client.close() };
}

function errorOf(error: ServiceError | null, metadata: readonly MetadataEntry[]): RpcAnswer {
  if (error === null) return { kind: "malformed", text: "neither reply nor error", metadata };
  const message = error.details;
  const all = [...metadata, ...entriesOf(error.metadata)];
  return { kind: "error", code: codeToString(Number(error.code)), message, details: [], metadata: all };
}

function entriesOf(metadata: Metadata): MetadataEntry[] {
  return Object.entries(metadata.toHttp2Headers()).map(([name, value]) => [name, String(value)] as const);
}
