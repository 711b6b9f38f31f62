/** Why an entry is rejected. A phrase never holds a piece of the entry, which may be secret. */
export const rejectionReasons = {
  undecodable: "The entry cannot be decoded.",
  "too-long": "The entry is too long.",
  "too-costly": "The entry is too costly to read.",
  "unknown-scheme": "The scheme is not known.",
  "unknown-type": "The type is not known.",
  "nested-subscription": "Nested subscriptions are not followed.",
  "missing-server": "The server is missing.",
  "invalid-server": "The server is neither a host name nor an IP address.",
  "missing-port": "The port is missing.",
  "invalid-port": "The port is not between 1 and 65535.",
  "missing-password": "The password is missing.",
  "missing-user-id": "The user id is missing.",
  "missing-method": "The encryption method is missing.",
  "missing-key": "The private key is missing.",
  "missing-peer-key": "The public key of the peer is missing.",
  "missing-obfuscation-password": "The obfuscation password is missing.",
  "unknown-transport": "The transport is not known.",
  "unknown-security": "The security is not known.",
} as const;

/** The name of a reason. */
export type RejectionReason = keyof typeof rejectionReasons;
