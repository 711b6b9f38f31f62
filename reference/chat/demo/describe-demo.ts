import type { Secret } from "../../../src/chat/server/index.js";
import { shellQuoted } from "../../../src/shell-word.js";
import type { Realm } from "../storage/tables.js";

/** An account of the demo organization that people can use. */
export interface DemoAccount {
  readonly id: number;
  readonly email: string;
  readonly key: Secret;
  /** Name and role. */
  readonly is: string;
}

/** What there is to tell about the demo organization. */
export interface DemoDescription {
  readonly url: string;
  readonly realm: Realm;
  /** Whether it was filled just now. */
  readonly isNew: boolean;
  /** The first one makes the requests. */
  readonly accounts: readonly DemoAccount[];
  /** The anchor that means the end, at the feature level of the server. */
  readonly newest: string;
  /** A message of the first account, in a channel that the account is subscribed to. */
  readonly message: { readonly id: number; readonly channel_id: number; readonly topic: string } | undefined;
}

/** Writes the credentials, and requests for a shell. This is the one place where keys are shown. */
export function describeDemo({ url, realm, isNew, accounts, newest, message }: DemoDescription): string {
  const [caller] = accounts;
  const width = Math.max(0, ...accounts.map(({ email }) => email.length));
  const credentials = accounts.map(({ email, key, is }) => `  ${email.padEnd(width)}  ${key.reveal()}  (${is})`);
  const heading = isNew
    ? `The organization "${realm.name}" was filled. E-mail addresses and API keys:`
    : `The organization "${realm.name}" exists already. New API keys, which replace those printed before:`;
  const requests = caller === undefined ? [] : ["", "Try:", "", ...curlLines(url, caller, newest, message)];
  return ["", heading, "", ...credentials, ...requests, ""].join("\n");
}

function curlLines(
  url: string,
  { email, key }: DemoAccount,
  newest: string,
  message: DemoDescription["message"],
): string[] {
  const curl = `curl -s -u ${shellQuoted(`${email}:${key.reveal()}`)}`;
  const api = `${url}/api/v1`;
  const own = message && [
    `${curl} -X PATCH ${api}/messages/${message.id} --data-urlencode 'content=Speak the speech, **trippingly**.'`,
    `${curl} -X PATCH ${api}/users/me/subscriptions/muted_topics -d stream_id=${message.channel_id} -d op=add ${`--data-urlencode ${shellQuoted(`topic=${message.topic}`)}`}`,
  ];
  return [
    `${curl} '${api}/messages?anchor=${newest}&num_before=5&num_after=0'`,
    ...(own ?? []),
    `echo 'To be, or not to be' | ${curl} -F 'file=@-;filename=soliloquy.txt' ${api}/user_uploads`,
  ];
}
