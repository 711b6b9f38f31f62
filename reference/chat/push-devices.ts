import { refuse } from "../../src/chat/server/index.js";
import { badRequest } from "./refusals.js";
import type { Operation, Services } from "./services.js";
import { countRows } from "./storage/database.js";

/** Bytes of a NaCl public key (Curve25519). */
const publicKeyBytes = 32;

/**
 * Registers a device for encrypted push notifications; registering a `push_account_id` again replaces its values. Validates the
 * form of the parameters before it checks for a push service (Register an end-to-end encrypted push device).
 */
export function createRegisterPushDevice({ database }: Services): Operation<"registerPushDevice"> {
  return async ({ parameters, caller: { user, realm } }) => {
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
    await database
      .insertInto("push_device")
      .values({ realm_id: realm.id, user_id: user.id, push_account_id, ...device })
      .onConflict((conflict) => conflict.columns(["realm_id", "user_id", "push_account_id"]).doUpdateSet(device))
      .execute();
    if ((await countRows(database, "push_device", user)) > maxDevices)
      throw badRequest(`You cannot register more than ${maxDevices} push devices`);
    return undefined;
  };
}

/** Format of a bundle identifier. */
const appIdForm = /^[A-Za-z0-9.-]{1,255}$/;
const hexBytes = /^(?:[0-9a-f]{2})+$/;

/**
 * Adds an iOS device token of the caller; adding it again replaces its app. Tokens are hexadecimal (Add an iOS device token).
 */
export function createAddIosDeviceToken({ database }: Services): Operation<"addIosDeviceToken"> {
  return async ({ parameters, caller: { user } }) => {
    if (hasInvalidLength(parameters.token)) return badRequest("Empty or invalid length token");
    const token = parameters.token.toLowerCase();
    if (!hexBytes.test(token)) return badRequest("Invalid token");
    // Optional before level 223, which the type does not express.
    const app_id = (parameters.appid as string | undefined) ?? null;
    if (app_id !== null && !appIdForm.test(app_id)) return badRequest("Invalid app ID");
    await database
      .insertInto("device_token")
      .values({ realm_id: user.realm_id, user_id: user.id, kind: "ios", token, app_id })
      .onConflict((conflict) => conflict.columns(["realm_id", "user_id", "kind", "token"]).doUpdateSet({ app_id }))
      .execute();
    if ((await countRows(database, "device_token", user)) > maxDevices)
      throw badRequest(`You cannot add more than ${maxDevices} device tokens`);
    return undefined;
  };
}

/**
 * Removes an Android token of the caller; treats a token of another user like one that does not exist (Remove an Android
 * registration token).
 */
export function createRemoveAndroidToken({ database }: Services): Operation<"removeAndroidToken"> {
  return async ({ parameters: { token }, caller }) => {
    if (hasInvalidLength(token)) return badRequest("Empty or invalid length token");
    const { numDeletedRows } = await database
      .deleteFrom("device_token")
      .where("realm_id", "=", caller.realm.id)
      .where("user_id", "=", caller.user.id)
      .where("kind", "=", "android")
      .where("token", "=", token)
      .executeTakeFirst();
    return numDeletedRows === 0n ? badRequest("Token does not exist") : undefined;
  };
}

/** Maximum bytes of a device token or any other push parameter. */
export const maxPushTextBytes = 4096;

/** Maximum push registrations, and maximum device tokens, per user. */
const maxDevices = 100;

/** Whether a push parameter is empty or too long. */
function hasInvalidLength(text: string): boolean {
  return text === "" || Buffer.byteLength(text) > maxPushTextBytes;
}

/**
 * Decodes standard base64 with padding (RFC 4648, section 4). Returns undefined for any other text, including encodings that
 * are not canonical.
 */
function decodeBase64(text: string): Uint8Array | undefined {
  const bytes = Buffer.from(text, "base64");
  // The decoder ignores invalid characters, so only canonical text survives a round trip.
  return bytes.toString("base64") === text ? bytes : undefined;
}
