import { create, fromBinary, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { Server, ServerCredentials, type ServerUnaryCall, type sendUnaryData } from "@grpc/grpc-js";
import {
  type ProxySubscriptionSelectRequest,
  ProxySubscriptionSelectRequestSchema,
  type ProxySubscriptionSelectResponse,
  ProxySubscriptionSelectResponseSchema,
} from "../../src/daemon/index.js";

// A gRPC server that only answers SelectNode: an upper bound for a daemon on Node with this library.
type Reply = MessageInitShape<typeof ProxySubscriptionSelectResponseSchema>;

const server = new Server();
server.addService(
  {
    selectNode: {
      path: "/proxydaemon.v1.ProxySubscriptions/SelectNode",
      requestStream: false,
      responseStream: false,
      requestSerialize: (request: ProxySubscriptionSelectRequest) =>
        Buffer.from(toBinary(ProxySubscriptionSelectRequestSchema, request)),
      requestDeserialize: (bytes: Buffer) => fromBinary(ProxySubscriptionSelectRequestSchema, bytes),
      responseSerialize: (reply: Reply) =>
        Buffer.from(
          toBinary(ProxySubscriptionSelectResponseSchema, create(ProxySubscriptionSelectResponseSchema, reply)),
        ),
      responseDeserialize: (bytes: Buffer) => fromBinary(ProxySubscriptionSelectResponseSchema, bytes),
    },
  },
  {
    selectNode: (
      {
        request: { id, selectedOrdinal },
      }: ServerUnaryCall<ProxySubscriptionSelectRequest, ProxySubscriptionSelectResponse>,
      answer: sendUnaryData<Reply>,
    ) => answer(null, { id, selectedOrdinal }),
  },
);
server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) => {
  if (error !== null) throw error;
  process.send?.({ address: `127.0.0.1:${port}` });
});
