/** Texts that are typical of what a name says, where a schema has no format. */
const byName: readonly (readonly [RegExp, string])[] = [
  [/^e?mail(?:address)?$/, "user@example.com"],
  [/^(?:url|uri|href|link|website|homepage|callback|webhook)$/, "https://example.com"],
  [/^(?:host|hostname|domain|domainname|fqdn|nameserver)$/, "example.com"],
  [/^(?:ip|ipv4|ipaddress)$/, "192.0.2.1"],
  [/^ipv6$/, "2001:db8::1"],
  [/^(?:phone(?:number)?|telephone|mobile)$/, "+14155550100"],
  [/^country(?:code)?$/, "US"],
  [/^currency(?:code)?$/, "USD"],
  [/^(?:language(?:code)?|lang|locale)$/, "en"],
  [/^(?:timezone|tz)$/, "UTC"],
  [/^(?:color|colour)$/, "#336699"],
  // Of the names of algorithms that libraries know, the one that most of them have.
  [/^(?:algorithm|alg|algo)$/, "hmac-sha256"],
];

/** The same of what a description says. */
const byDescription: readonly (readonly [RegExp, string])[] = [
  [/\be-?mail address\b/i, "user@example.com"],
  [/\bIPv6 address\b/i, "2001:db8::1"],
  [/\bIP(?:v4)? address(?:es)?\b/i, "192.0.2.1"],
  [/\b(?:DNS|domain|host) ?name\b/i, "example.com"],
  [/\bbase-?64\b/i, "Ynl0ZXM="],
];

/** A text that the name or the description of a value suggests. Undefined if they suggest none. */
export function typicalText(name: string, description = ""): string | undefined {
  const plain = name.replace(/[^A-Za-z0-9]/g, "").toLowerCase();
  const named = byName.find(([pattern]) => pattern.test(plain)) ?? byDescription.find(([one]) => one.test(description));
  return named?.[1];
}
