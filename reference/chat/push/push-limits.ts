/** Most bytes of a device token, or of any other text about a push device. */
export const maxPushTextBytes = 4096;

/** Most registrations for encrypted pushes, and most device tokens, of one user. */
export const mostDevices = 100;

/** Whether a text about a push device is empty or too long. */
export function hasInvalidLength(text: string): boolean {
  return text === "" || Buffer.byteLength(text) > maxPushTextBytes;
}
