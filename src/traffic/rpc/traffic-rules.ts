import { trafficRule as rule, type TrafficRule } from "../judge/finding.js";

/** The rules about calls to any RPC. The descriptors of the contract state all others. */
export const callRules = {
  rpc: rule("call.rpc", "must", "A call names a service and an RPC of the contract."),
  method: rule("call.method", "must", "A call is a POST request."),
  contentType: rule("call.content-type", "must", "The content type names a protocol and its encoding of messages."),
  framing: rule(
    "call.framing",
    "must",
    "A request has exactly one message, with the prefix that its protocol requires.",
  ),
  timeout: rule("call.timeout", "must", "A timeout has the form that its protocol defines."),
  trailers: rule("call.te", "should", "A gRPC call says that it accepts trailers, with `te: trailers`."),
  message: rule("call.message", "must", "A request decodes as the message of its RPC."),
  fieldName: rule("call.field-name", "must", "Fields in JSON are spelt as in the contract."),
  unknownField: rule("call.unknown-field", "should", "A request has only fields that the contract defines."),
  emptyField: rule("call.empty-field", "should", "A client sends the fields without which an RPC has nothing to do."),
} as const;

/** The rules about responses of any RPC. */
export const replyRules = {
  protocol: rule("reply.protocol", "must", "A response follows the protocol of its call, with a valid status."),
  message: rule("reply.message", "must", "A reply decodes as the message of its RPC."),
  unknownField: rule("reply.unknown-field", "should", "A reply has only fields that the contract defines."),
} as const;

/** Every rule of this file. */
export const trafficRules: readonly TrafficRule[] = [...Object.values(callRules), ...Object.values(replyRules)];
