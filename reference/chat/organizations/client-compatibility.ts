/** A client that the server deems compatible, as its `User-Agent`. */
export const compatibleClient = "AccordChat/1.0";

/** A client that the server deems incompatible. */
export const incompatibleClient = "AccordChat/0.1";

/** Whether the server deems a client incompatible, as it does its own client, AccordChat, before version 1. */
export function isIncompatible(userAgent: string | undefined): boolean {
  return userAgent?.startsWith("AccordChat/0.") ?? false;
}
