import { refuse } from "../../../src/chat/server/index.js";
import { badRequest } from "../bad-request.js";
import type { Operation, Services } from "../services.js";
import { rowsOf } from "../storage/rows-of.js";
import { decodeBase64 } from "./decode-base64.js";
import { hasInvalidLength, maxPushTextBytes, mostDevices } from "./push-limits.js";

/** Bytes of the public half of a NaCl key pair (Curve25519). */
const publicKeyBytes = 32;

/**
 * Registers a device for encrypted pushes; a `push_account_id` that the caller has registered before gets the new values. The
 * parameters are judged first, then whether there is a push service (Register an end-to-end encrypted push device).
 */
export function createRegisterPushDevice({ database }: Services): Operation<"registerPushDevice"> {
  return ({ parameters, caller: { user, realm } }) => {
    const { push_account_id, token_kind, push_public_key, bouncer_public_key, encrypted_push_registration } =
      parameters;
    if (!Number.isSafeInteger(push_account_id))
      return badRequest("push_account_id is not from -(2^53 - 1) to 2^53 - 1");
    for (const [name, text] of Object.entries({ push_public_key, bouncer_public_key, encrypted_push_registration })) {
      if (hasInvalidLength(text)) return badRequest(`${name} must have 1 to ${maxPushTextBytes} bytes`);
    }
    const publicKey = decodeBase64(push_public_key);
    if (publicKey === undefined) return badRequest("push_public_key is not valid base64");
    if (publicKey.length !== publicKeyBytes)
      return badRequest(`push_public_key is not a key of ${publicKeyBytes} bytes`);
    if (decodeBase64(encrypted_push_registration) === undefined) {
      return badRequest("encrypted_push_registration is not valid base64");
    }
    if (!realm.push_service) {
      const msg = "Server is not configured to use push notification service";
      return refuse(400, { code: "PUSH_SERVICE_NOT_CONFIGURED", msg });
    }
    if (bouncer_public_key !== realm.bouncer_public_key) return badRequest("Invalid bouncer_public_key");
    const device = { token_kind, push_public_key, bouncer_public_key, encrypted_push_registration };
    database.transaction(() => {
      database.run(
        database.sql
          .insertInto("push_device")
          .values({ user_id: user.id, push_account_id, ...device })
          .onConflict((conflict) => conflict.columns(["user_id", "push_account_id"]).doUpdateSet(device)),
      );
      if (rowsOf(database, "push_device", user.id) > mostDevices)
        throw badRequest(`You have ${mostDevices} devices already, which is the most`);
    });
    return undefined;
  };
}
