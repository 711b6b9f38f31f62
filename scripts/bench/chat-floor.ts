import { createHash } from "node:crypto";
import { createServer } from "node:http";
import Libsql from "libsql";

// `chat-floor.ts PORT FILE`: what a page costs at least. A bare `node:http` server that finds the account of the credentials, and answers
// with 20 messages of a chat database, which SQLite writes as JSON. It checks nothing else.
const [port = "0", file = ""] = process.argv.slice(2);
const database = new Libsql(file, { readonly: true });
const accounts = database
  .prepare(
    `select json_array(u.id, r.id, hex(u.api_key_hash)) from "user" u join realm r on r.id = u.realm_id
      where u.realm_id = ? and u.email_key = ?`,
  )
  .raw(true);
const pages = database
  .prepare(
    `select json_group_array(json_object('id', m.id, 'type', 'stream', 'sender_id', m.sender_id, 'sender_full_name', u.full_name,
        'sender_email', u.email, 'avatar_url', 'data:image/svg+xml,' || u.id, 'client', m.client, 'content', m.rendered_content,
        'content_type', 'text/html', 'display_recipient', c.name, 'stream_id', c.id, 'subject', m.topic, 'topic', m.topic,
        'timestamp', m.sent_at, 'flags', json_array('read'), 'is_me_message', json('false'), 'reactions', json_array()))
      from (select message_id from user_message
        where realm_id = ? and user_id = ? and message_id >= ? order by message_id limit 20) um
        join message m on m.id = um.message_id
        join "user" u on u.id = m.sender_id
        join channel c on c.id = m.channel_id`,
  )
  .raw(true);

createServer(({ url = "", headers }, response) => {
  const [email = "", key = ""] = Buffer.from(headers.authorization?.slice("Basic ".length) ?? "", "base64")
    .toString()
    .split(":");
  const [account] = (accounts.get([Number.parseInt(key.slice(0, 11), 36), email.toLowerCase()]) ?? []) as string[];
  const [userId, realmId, hash] = JSON.parse(account ?? "[]") as [number, number, string];
  const isKnown = createHash("sha256").update(key).digest("hex").toUpperCase() === hash;
  const anchor = Number(/anchor=(\d+)/.exec(url)?.[1] ?? 0);
  const [messages] = isKnown ? (pages.get([realmId, userId, anchor]) as unknown as string[]) : ["[]"];
  const body = `{"result":"success","msg":"","messages":${messages}}`;
  response.writeHead(200, { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body) });
  response.end(body);
}).listen(Number(port), "127.0.0.1");
