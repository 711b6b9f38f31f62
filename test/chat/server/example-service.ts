import {
  type ChatHandlers,
  type ChatServerOptions,
  type OperationId,
  refuse,
  refuseUndocumented,
  type UndocumentedRefusal,
  unimplementedHandlers,
} from "../../../src/chat/server/index.js";

/** The caller of the example. */
export interface ExampleCaller {
  readonly email: string;
}

/** A chat server with a few operations and one user, whose API key is `key:1`. */
export function exampleService(
  changes: Partial<ChatServerOptions<ExampleCaller>> = {},
  seen: [OperationId, object][] = [],
): ChatServerOptions<ExampleCaller> {
  const handlers: ChatHandlers<ExampleCaller> = {
    ...unimplementedHandlers<ExampleCaller>(),
    unsubscribe: async ({ parameters: { subscriptions }, caller }) => {
      seen.push(["unsubscribe", { subscriptions, caller }]);
      const [unknown] = subscriptions.filter((name) => name === "nowhere");
      if (unknown !== undefined)
        return refuse(400, {
          code: "STREAM_DOES_NOT_EXIST",
          msg: `Channel '${unknown}' does not exist`,
          stream: unknown,
        });
      return { removed: subscriptions, not_removed: [] };
    },
    muteUser: ({ parameters }): undefined | UndocumentedRefusal => {
      if (parameters.muted_user_id === 1) throw refuse(400, { code: "BAD_REQUEST", msg: "Cannot mute self" });
      if (parameters.muted_user_id === 3) throw refuse(400, JSON.parse('{"code": 5, "msg": 7}'));
      if (parameters.muted_user_id === 4) {
        return refuseUndocumented(
          429,
          { code: "RATE_LIMIT_HIT", msg: "Slow down", result: "success" },
          { "Retry-After": "7" },
        );
      }
      if (parameters.muted_user_id === 2) throw new Error("the database is gone: secret");
      return undefined;
    },
    addIosDeviceToken: ({ parameters }) => {
      seen.push(["addIosDeviceToken", parameters]);
    },
    editMessage: ({ parameters }) => {
      seen.push(["editMessage", parameters]);
      return { detached_uploads: [] };
    },
    removeNavigationView: ({ parameters }) => {
      seen.push(["removeNavigationView", parameters]);
    },
    uploadFile: async ({ parameters: { file } }) => ({ url: "/u", uri: "/u", filename: `${await file.text()}.txt` }),
    getServerSettings: ({ caller }) => ({ realm_name: caller === undefined ? "nobody" : "somebody" }),
    // A body that violates the contract.
    getUserStatus: () => JSON.parse('{"status":{"away":"yes"}}'),
  };
  return {
    handlers,
    authenticate: (credentials) => {
      if (credentials.kind === "cookie")
        return credentials.cookie.reveal() === "session=1" ? { email: "cookie" } : undefined;
      return credentials.apiKey.reveal() === "key:1" ? { email: credentials.email } : undefined;
    },
    ...changes,
  };
}
