import type { SqlForms } from "../migrations.js";

/** Indexes of a small part of a table. */
const smallIndexes = "'user_message_unread', 'user_message_mentioned', 'channel_web_public', 'user_by_role'";

/** How SQLite writes the schema. */
export const sqliteForms: SqlForms = {
  id: "integer primary key autoincrement",
  idKey: "unique (realm_id, id)",
  // Each table has its own sequence; `deliverScheduledMessage` skips the ids of scheduled messages.
  messageId: "integer primary key autoincrement",
  integer: "integer",
  text: "text",
  bytes: "blob",
  unlogged: "",
  withoutId: " without rowid",
  before: [],
  search: [
    `create virtual table message_search using fts5(
      content, topic, realm, content='', contentless_delete=1, tokenize='ascii'
    )`,
  ],
  statistics: [
    // Without statistics, the planner assumes that an organization has few rows, and reads all of them. Those of ANALYZE would depend
    // on when it runs, so these are estimates for a large organization (SQLite, "The sqlite_stat1 table").
    "analyze",
    "delete from sqlite_stat1",
    `insert into sqlite_stat1 (tbl, idx, stat)
      select tbl, case when origin = 'pk' then tbl else idx end,
        iif(idx in (${smallIndexes}), '1000', '1000000') || group_concat(' ' || iif(idx in (${smallIndexes}), min(count, 100), count), '')
      from (
        select tables.name as tbl, indexes.name as idx, indexes.origin, min(case
            when columns.name = 'realm_id' then 1000000
            when indexes."unique" and not exists (
              select 1 from pragma_index_info(indexes.name) later where later.seqno > columns.seqno) then 1
            when columns.name in ('user_id', 'sender_id', 'viewer_id', 'channel_id', 'conversation_id') then 10000
            when columns.name = 'topic_key' then 100
            when columns.name = 'id' then 1
            else 10
          end) over (partition by indexes.name order by columns.seqno) as count
        from sqlite_schema tables, pragma_index_list(tables.name) indexes, pragma_index_info(indexes.name) columns
        where tables.type = 'table' and tables.name not like 'message_search%' order by indexes.name, columns.seqno)
      group by tbl, idx`,
    "analyze sqlite_schema",
  ],
};
