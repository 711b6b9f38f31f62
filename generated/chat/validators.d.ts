// Written by `npm run generate`. Not to be edited.
/** A problem and its place. */
export interface ValidationError {
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: Record<string, unknown>;
  readonly message?: string;
}
/** Whether a value is valid. The problems are in `errors` until the next call. */
export interface Validator {
  (value: unknown): boolean;
  errors?: readonly ValidationError[] | null;
}
type OperationId = "deleteAttachment" | "addDefaultChannel" | "removeDefaultChannel" | "getMessages" | "editMessage" | "setEditTypingStatus" | "registerPushDevice" | "removeNavigationView" | "updateLinkifier" | "createProfileField" | "createReminder" | "deleteScheduledMessage" | "getServerSettings" | "createResumableUpload" | "deactivateUserGroup" | "updateSubgroups" | "uploadFile" | "updateUserByEmail" | "getUserStatus" | "deactivateOwnUser" | "removeAndroidToken" | "addIosDeviceToken" | "muteUser" | "unsubscribe" | "updateMutedTopic";
/** Check the decoded parameters of a request, all in one flat object. Those that are required are in `requestLevels`. */
export declare const requestValidators: Readonly<Record<OperationId, Validator>>;
/** Check the body of a response, by status; `default` is for every status that is not listed. */
export declare const responseValidators: Readonly<Record<OperationId, Readonly<Record<string, Validator>>>>;
