import type { SqlForms } from "../migrations.js";

/** How SQLite writes the schema. */
export const sqliteForms: SqlForms = {
  id: "integer primary key autoincrement",
  idKey: "unique (realm_id, id)",
  // `deliverScheduledMessage` skips ids.
  messageId: "integer primary key autoincrement",
  integer: "integer",
  text: "text",
  bytes: "blob",
  unlogged: "",
  withoutId: " without rowid",
  before: [],
  search: [
    `create virtual table message_search using fts5(
      content, topic, realm, content='', contentless_delete=1, tokenize='unicode61 remove_diacritics 2'
    )`,
  ],
};
