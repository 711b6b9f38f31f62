import type { Realm } from "../storage/tables.js";

/** Most bytes of one upload in an organization (max_file_upload_size_mib). */
export function mostUploadBytes(realm: Pick<Realm, "max_file_upload_size_mib">): number {
  return realm.max_file_upload_size_mib * 1024 * 1024;
}

/** What somebody is told whose upload is larger. */
export function tooLargeMessage(realm: Pick<Realm, "max_file_upload_size_mib">): string {
  return `Uploaded file is larger than the allowed limit of ${realm.max_file_upload_size_mib} MiB`;
}
