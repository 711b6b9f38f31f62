import type { OperationId, Refusal } from "../../src/chat/server/index.js";
import { badRequest } from "./bad-request.js";
import { isAdministrator } from "./roles.js";
import type { Caller } from "./services.js";

/** Operations for organization administrators only (Authentication 5). */
const forAdministrators: ReadonlySet<OperationId> = new Set<OperationId>([
  "updateUserByEmail",
  "createProfileField",
  "addDefaultChannel",
  "removeDefaultChannel",
  // Not stated; linkifiers are part of the configuration of the organization.
  "updateLinkifier",
]);

/** Refuses a caller whose role does not suffice, before parameters are looked at. */
export function authorize(operationId: OperationId, { user }: Caller): Refusal | undefined {
  return forAdministrators.has(operationId) && !isAdministrator(user)
    ? badRequest("Must be an organization administrator")
    : undefined;
}
