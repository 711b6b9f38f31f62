// Written by `npm run generate`. Not to be edited.

/**
 * Stands for an error code that the contract does not name. It is a type of its own, so that comparing `code` with a documented
 * code narrows an error; at run time it is a string, and is compared as `String(error.code)`.
 */
export declare enum UnknownErrorCode {
  Undocumented = "a code that the contract does not name",
}

export interface paths {
    "/mobile_push/register": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Register an end-to-end encrypted push device
         * @description Registers a device that receives end-to-end encrypted push notifications.
         */
        post: operations["registerPushDevice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/{email}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update a user by e-mail address
         * @description Changes the name, the role, the custom profile fields or the e-mail address of a user. Organization administrators only.
         */
        patch: operations["updateUserByEmail"];
        trace?: never;
    };
    "/users/{user_id}/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the status of a user
         * @description Answers the status text and emoji that a user has set.
         */
        get: operations["getUserStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Deactivate the own user
         * @description Deactivates the account of the caller.
         */
        delete: operations["deactivateOwnUser"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/me/android_reg_id": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove an Android registration token
         * @description Removes the registration of an Android device of the caller.
         */
        delete: operations["removeAndroidToken"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/me/ios_device_token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add an iOS device token
         * @deprecated
         * @description Registers an iOS device of the caller for push notifications.
         */
        post: operations["addIosDeviceToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/me/muted_users/{muted_user_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mute a user
         * @description Mutes a user for the caller. Messages from the muted user are marked as read for the caller.
         */
        post: operations["muteUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/me/subscriptions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Unsubscribe from channels
         * @description Removes the caller, or the users named by `principals`, from channels.
         */
        delete: operations["unsubscribe"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * @description The kind of push provider that the token is for.
         * @enum {string}
         */
        PushTokenKind: "android" | "ios";
        /**
         * Format: int64
         * @description A random number that the client makes, unique in its own table of accounts. Every push carries it.
         */
        PushAccountId: number;
        /** @description The device to register. */
        RegisterPushDeviceRequest: {
            token_kind: components["schemas"]["PushTokenKind"];
            push_account_id: components["schemas"]["PushAccountId"];
            /** @description The public half of a NaCl key pair, in RFC 4648 standard base64. */
            push_public_key: string;
            /** @description Says which public key of the push relay was used. */
            bouncer_public_key: string;
            /**
             * @description A JSON-encoded dictionary with `token`, `token_kind`, `timestamp` and, for iOS devices, `ios_app_id`, encrypted with the
             *     public key of the relay. The ciphertext is in RFC 4648 standard base64.
             */
            encrypted_push_registration: string;
        };
        /**
         * @description Says that the request failed.
         * @constant
         */
        ErrorResult: "error";
        /** @description A text for people that says what went wrong. Its wording is not part of the contract. */
        ErrorMessage: string;
        /**
         * @description The error codes that this contract gives a meaning.
         * @enum {string}
         */
        DocumentedErrorCode: "BAD_REQUEST" | "UNAUTHORIZED" | "UNAUTHORIZED_PRINCIPAL" | "MOVE_MESSAGES_TIME_LIMIT_EXCEEDED" | "STREAM_WILDCARD_MENTION_NOT_ALLOWED" | "STREAM_DOES_NOT_EXIST" | "PUSH_SERVICE_NOT_CONFIGURED" | "CANNOT_DEACTIVATE_LAST_USER" | "CANNOT_DEACTIVATE_GROUP_IN_USE";
        /** @description An error whose code this contract does not name. The set of codes is open. */
        OtherError: {
            result: components["schemas"]["ErrorResult"];
            msg: components["schemas"]["ErrorMessage"];
            /**
             * Format: unknown-error-code
             * @description A code that no table of this contract lists.
             */
            code: UnknownErrorCode;
        };
        /**
         * @description Says that the request succeeded.
         * @constant
         */
        SuccessResult: "success";
        /**
         * @description Empty on success.
         * @constant
         */
        SuccessMessage: "";
        /** @description The names of the parameters in the request that this endpoint does not support. Present only when there is one. */
        IgnoredParametersUnsupported: string[];
        /** @description The request succeeded; there is nothing else to tell. */
        Success: {
            result: components["schemas"]["SuccessResult"];
            msg: components["schemas"]["SuccessMessage"];
            ignored_parameters_unsupported?: components["schemas"]["IgnoredParametersUnsupported"];
        };
        /** @description A generic failure, such as an invalid id, a missing permission or something already done. */
        BadRequestError: {
            result: components["schemas"]["ErrorResult"];
            msg: components["schemas"]["ErrorMessage"];
            /**
             * @description Names this kind of failure.
             * @constant
             */
            code: "BAD_REQUEST";
        };
        /** @description The server does not use a push service. */
        PushServiceNotConfiguredError: {
            result: components["schemas"]["ErrorResult"];
            msg: components["schemas"]["ErrorMessage"];
            /**
             * @description Names this kind of failure.
             * @constant
             */
            code: "PUSH_SERVICE_NOT_CONFIGURED";
        };
        /** @description The caller is not logged in. */
        UnauthorizedError: {
            result: components["schemas"]["ErrorResult"];
            msg: components["schemas"]["ErrorMessage"];
            /**
             * @description Names this kind of failure.
             * @constant
             */
            code: "UNAUTHORIZED";
        };
        /** @description The e-mail address of a user. */
        EmailAddress: string;
        /**
         * @description The role of a user: 100 owner, 200 administrator, 300 moderator, 400 member, 600 guest.
         * @enum {integer}
         */
        Role: 100 | 200 | 300 | 400 | 600;
        /**
         * Format: int64
         * @description The id of a custom profile field.
         */
        ProfileFieldId: number;
        /** @description The value of one custom profile field. */
        ProfileFieldValue: {
            id: components["schemas"]["ProfileFieldId"];
            /** @description The value of the field. */
            value: string;
        };
        /** @description What to change about the user. */
        UpdateUserByEmailRequest: {
            /** @description The new full name. */
            full_name?: string;
            role?: components["schemas"]["Role"];
            /** @description New values of custom profile fields. */
            profile_data?: components["schemas"]["ProfileFieldValue"][];
            new_email?: components["schemas"]["EmailAddress"];
        };
        /**
         * Format: int64
         * @description The id of a user.
         */
        UserId: number;
        /**
         * @description The namespace of an emoji, which says what its `emoji_code` is: dash-separated hex code points (`unicode_emoji`), the id of
         *     the custom emoji (`realm_emoji`) or the name of the emoji (`service_extra_emoji`).
         * @enum {string}
         */
        ReactionType: "unicode_emoji" | "realm_emoji" | "service_extra_emoji";
        /** @description The status of a user. Every key is present only when set; an empty object means no status. */
        UserStatus: {
            /** @description The negation of the user's presence_enabled setting. A legacy key. */
            away?: boolean;
            /** @description What the user says about the status. */
            status_text?: string;
            /** @description The name of the emoji. */
            emoji_name?: string;
            /** @description Identifies the emoji within `reaction_type`. */
            emoji_code?: string;
            reaction_type?: components["schemas"]["ReactionType"];
        };
        /** @description The status of the user. */
        GetUserStatusSuccess: {
            result: components["schemas"]["SuccessResult"];
            msg: components["schemas"]["SuccessMessage"];
            status: components["schemas"]["UserStatus"];
            ignored_parameters_unsupported?: components["schemas"]["IgnoredParametersUnsupported"];
        };
        /** @description The caller is the only owner or the only user of the organization. */
        CannotDeactivateLastUserError: {
            result: components["schemas"]["ErrorResult"];
            msg: components["schemas"]["ErrorMessage"];
            /**
             * @description Names this kind of failure.
             * @constant
             */
            code: "CANNOT_DEACTIVATE_LAST_USER";
            /** @description Names the role of which the caller is the last one, owner or user. */
            entity: string;
            /** @description True if the caller is the only owner, false if the only user. */
            is_last_owner: boolean;
        };
        /** @description The token that a push provider gave to a device. */
        DeviceToken: string;
        /** @description The token to remove. */
        RemoveAndroidTokenRequest: {
            token: components["schemas"]["DeviceToken"];
        };
        /** @description The token to add. */
        AddIosDeviceTokenRequest: {
            token: components["schemas"]["DeviceToken"];
            /** @description The id of the calling app. */
            appid: string;
        };
        /** @description What to unsubscribe, and whom. */
        UnsubscribeRequest: {
            /** @description The names of the channels to unsubscribe from. */
            subscriptions: string[];
            /** @description The users to unsubscribe, by id (preferred) or by e-mail address. Defaults to the caller. */
            principals?: components["schemas"]["UserId"][] | components["schemas"]["EmailAddress"][];
        };
        /** @description The channels that were left, and those that were not subscribed to before. */
        UnsubscribeSuccess: {
            result: components["schemas"]["SuccessResult"];
            msg: components["schemas"]["SuccessMessage"];
            /** @description Names of the channels that were unsubscribed. */
            removed: string[];
            /** @description Names of the channels that were already unsubscribed. */
            not_removed: string[];
            ignored_parameters_unsupported?: components["schemas"]["IgnoredParametersUnsupported"];
        };
        /** @description A channel named in the request does not exist. */
        StreamDoesNotExistError: {
            result: components["schemas"]["ErrorResult"];
            msg: components["schemas"]["ErrorMessage"];
            /**
             * @description Names this kind of failure.
             * @constant
             */
            code: "STREAM_DOES_NOT_EXIST";
            /** @description The name for which there is no channel. */
            stream: string;
        };
    };
    responses: {
        /** @description Any other failure, in the same envelope. Statuses and codes beyond those above are not fixed by this contract. */
        OtherError: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OtherError"];
            };
        };
        /** @description The request carried no valid credentials. */
        Unauthorized: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["UnauthorizedError"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    registerPushDevice: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["RegisterPushDeviceRequest"];
            };
        };
        responses: {
            /** @description The registration was accepted. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description The request was refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequestError"] | components["schemas"]["PushServiceNotConfiguredError"] | components["schemas"]["OtherError"];
                };
            };
            401: components["responses"]["Unauthorized"];
            default: components["responses"]["OtherError"];
        };
    };
    updateUserByEmail: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The user's real e-mail address if the caller may see it, otherwise the dummy address of the form `user{id}@{realm.host}`. */
                email: components["schemas"]["EmailAddress"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["UpdateUserByEmailRequest"];
            };
        };
        responses: {
            /** @description The user was updated. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description The request was refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequestError"] | components["schemas"]["OtherError"];
                };
            };
            401: components["responses"]["Unauthorized"];
            default: components["responses"]["OtherError"];
        };
    };
    getUserStatus: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The user. */
                user_id: components["schemas"]["UserId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The status of the user. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetUserStatusSuccess"];
                };
            };
            /** @description The request was refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequestError"] | components["schemas"]["OtherError"];
                };
            };
            401: components["responses"]["Unauthorized"];
            default: components["responses"]["OtherError"];
        };
    };
    deactivateOwnUser: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The account was deactivated. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description The request was refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CannotDeactivateLastUserError"] | components["schemas"]["OtherError"];
                };
            };
            401: components["responses"]["Unauthorized"];
            default: components["responses"]["OtherError"];
        };
    };
    removeAndroidToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["RemoveAndroidTokenRequest"];
            };
        };
        responses: {
            /** @description The token was removed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description The request was refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequestError"] | components["schemas"]["OtherError"];
                };
            };
            401: components["responses"]["Unauthorized"];
            default: components["responses"]["OtherError"];
        };
    };
    addIosDeviceToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["AddIosDeviceTokenRequest"];
            };
        };
        responses: {
            /** @description The token was added. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description The request was refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequestError"] | components["schemas"]["OtherError"];
                };
            };
            401: components["responses"]["Unauthorized"];
            default: components["responses"]["OtherError"];
        };
    };
    muteUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The user to mute. */
                muted_user_id: components["schemas"]["UserId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The user is muted. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description The request was refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequestError"] | components["schemas"]["OtherError"];
                };
            };
            401: components["responses"]["Unauthorized"];
            default: components["responses"]["OtherError"];
        };
    };
    unsubscribe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["UnsubscribeRequest"];
            };
        };
        responses: {
            /** @description The channels that were left, and those that were not subscribed to before. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnsubscribeSuccess"];
                };
            };
            /** @description The request was refused. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadRequestError"] | components["schemas"]["StreamDoesNotExistError"] | components["schemas"]["OtherError"];
                };
            };
            401: components["responses"]["Unauthorized"];
            default: components["responses"]["OtherError"];
        };
    };
}
