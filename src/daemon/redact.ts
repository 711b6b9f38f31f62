import { services } from "../../generated/daemon/contract.js";
import { createRedaction } from "../runtime/rpc/redact.js";

export const { redact, redactedJson } = createRedaction(services);
