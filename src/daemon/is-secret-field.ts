import { type DescField, getOption } from "@bufbuild/protobuf";
import { secret } from "../../generated/daemon/proxydaemon/v1/secret_pb.js";

/** Whether a field is marked as secret: by the option `proxydaemon.v1.secret` of the contract, or by protobuf's own `debug_redact`. */
export function isSecretField(field: DescField): boolean {
  return field.proto.options?.debugRedact === true || getOption(field, secret);
}
