import fc from "fast-check";

/** Modifies bytes. */
export type Mutation = (bytes: Buffer) => Buffer;

const place = fc.double({ min: 0, max: 1, noNaN: true });
const at = (bytes: Buffer, where: number) => Math.floor(where * bytes.length);

/** Tokens of the formats, and random bytes. */
const piece = fc.oneof(
  fc
    .constantFrom(
      ...[
        "\n",
        "\r\n",
        "\r",
        "\0",
        " ",
        "\t",
        ":",
        ": ",
        "- ",
        "\n- ",
        "\n  - ",
        "#",
        ",",
        "{",
        "}",
        "[",
        "]",
        '"',
        "'",
        "\\",
        "://",
        "@",
      ],
      ...[
        "*a",
        "&a ",
        "<<: ",
        "!!str ",
        "%",
        "%00",
        "=",
        "proxies:\n",
        "\n---\n",
        "trojan://",
        "__proto__",
        "constructor",
        "null",
        "\ufeff",
      ],
      ...[
        '"type":"trojan"',
        "\\ud800",
        "\u202e",
        "[".repeat(200),
        "{a: ".repeat(50),
        "&a [*a]",
        "a: ".repeat(100),
        "\ufffd",
      ],
    )
    .map((text) => Buffer.from(text)),
  fc.uint8Array({ maxLength: 4 }).map((bytes) => Buffer.from(bytes)),
);

const put = fc.tuple(place, place, piece).map(
  ([from, length, bytes]): Mutation =>
    (body) => {
      const start = at(body, from);
      return Buffer.concat([body.subarray(0, start), bytes, body.subarray(start + Math.floor(length * 3))]);
    },
);
const cut = fc.tuple(place, place).map(
  ([from, to]): Mutation =>
    (body) => {
      const [start, end] = [at(body, Math.min(from, to)), at(body, Math.max(from, to))];
      return Buffer.concat([body.subarray(0, start), body.subarray(end)]);
    },
);
const keep = fc.tuple(place, place).map(
  ([from, to]): Mutation =>
    (body) =>
      body.subarray(at(body, Math.min(from, to)), at(body, Math.max(from, to))),
);
const repeat = fc.tuple(place, place, fc.integer({ min: 2, max: 20 })).map(
  ([from, to, times]): Mutation =>
    (body) => {
      const [start, end] = [at(body, Math.min(from, to)), at(body, Math.max(from, to))];
      const some = body.subarray(start, end);
      return Buffer.concat([body.subarray(0, start), ...Array.from({ length: times }, () => some), body.subarray(end)]);
    },
);
const flip = fc.tuple(place, fc.integer({ min: 1, max: 255 })).map(
  ([where, bits]): Mutation =>
    (body) => {
      const changed = Buffer.from(body);
      const index = at(changed, where);
      if (index < changed.length) changed.writeUInt8(changed.readUInt8(index) ^ bits, index);
      return changed;
    },
);

/** Applies several modifications in turn. */
export const mutations: fc.Arbitrary<Mutation> = fc
  .array(fc.oneof(put, put, put, flip, cut, keep, repeat), { minLength: 1, maxLength: 5 })
  .map(
    (some): Mutation =>
      (bytes) =>
        some.reduce((changed, mutate) => mutate(changed).subarray(0, 200_000), bytes),
  );
