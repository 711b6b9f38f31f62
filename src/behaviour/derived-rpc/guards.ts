import type { DescMethodUnary } from "@bufbuild/protobuf";
import { MethodOptions_IdempotencyLevel } from "@bufbuild/protobuf/wkt";
import { expressionOf, expressionsIn } from "../../contract/expressions.js";
import { pathsIn, splitExpressions } from "../../contract/rpc/bindings.js";
import type { Binding, EarlierCall } from "../../contract/rpc/cases.js";
import { requestIdOf } from "../../contract/rpc/resources/request-ids.js";
import { changed } from "./changes.js";
import { type About, type Draft, expectedIn, makeKept, nested, readOf } from "./rpc-draft.js";

/** What one account made, another neither reads nor removes: a read of the owner then finds it. */
export function notForOthers(about: About): Draft[] {
  const { resource } = about;
  const { read, remove } = resource;
  const made = makeKept(about);
  const reading = made && readOf(about, made);
  if (made?.own === undefined || reading === undefined || read?.thing === undefined) return [];
  const { within: _, ...once } = reading;
  const noun = resource.name.replaceAll("-", " ");
  const flow = (name: string, summary: string, given: readonly EarlierCall[], rest: Partial<Draft>): Draft => ({
    ...{ kind: "not-for-others", name, depth: "normal", summary, given },
    ...once,
    ...rest,
  });
  const removal: EarlierCall[] =
    remove === undefined
      ? []
      : [
          {
            ...{ id: "remove-as-other", call: remove.rpc, with: nested(remove.by, `$${made.id}`), as: "other" },
            expect: anyStatus,
          },
        ];
  const error = { code: "any", message: "there is no such thing for this account" };
  return [
    flow("not-read-by-others", `What one account made of ${noun}, another does not read`, made.given, {
      ...{ as: "other", error },
    }),
    ...(removal.length === 0
      ? []
      : [
          flow(
            "not-removed-by-others",
            `What one account made of ${noun}, another does not remove`,
            [...made.given, ...removal],
            { reply: {}, expect: expectedIn(read.thing, [made.own]) },
          ),
        ]),
  ];
}

/** Calls that the files call idempotent, made again. */
export function repeated(about: About): Draft[] {
  const { resource } = about;
  const { create, update } = resource;
  const made = makeKept(about);
  if (made === undefined || create === undefined) return [];
  const id = requestIdOf(create.method.input);
  const own = id === undefined ? {} : { [id.jsonName]: "$unique.word" };
  const step = { ...made.step, with: { ...made.step.with, ...own } };
  const [bound, request] = splitExpressions(step.with);
  const bind: Binding = Object.fromEntries(
    pathsIn(bound).map((path) => [path.join("."), expressionOf(String(valueAt(bound, path))) ?? ""]),
  );
  const isWritable = expressionsIn(request).length === 0;
  const again: Draft[] =
    create.identity.in === "reply" && (id !== undefined || isIdempotent(create.method)) && isWritable
      ? [
          {
            ...{ kind: "idempotent", name: "created-once", depth: "normal" },
            given: made.given.map((one) => (one.id === step.id ? step : one)),
            summary: "A creation that is repeated makes nothing new",
            ...{ rpc: create.rpc, bind, request, reply: {} },
            expect: { [`/${create.identity.at.join("/")}`]: `$${made.id}` },
          },
        ]
      : [];
  const [change] = update !== undefined && isIdempotent(update.method) ? changed(about) : [];
  const last = change?.given.at(-1);
  const twice: Draft[] =
    change === undefined || last === undefined || !("call" in last)
      ? []
      : [
          {
            ...change,
            ...{
              kind: "idempotent",
              name: "changed-again",
              given: [...change.given, { ...last, id: "again", expect: anyStatus }],
            },
            summary: "A change that is repeated has the effect of one",
          },
        ];
  return [...again, ...twice];
}

/** A call that may also be refused. */
const anyStatus: EarlierCall["expect"] = { status: { any: ["ok", { not: "ok" }] } };

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, name) => Object(inner)[name], value);
}

function isIdempotent({ idempotency }: DescMethodUnary): boolean {
  return idempotency === MethodOptions_IdempotencyLevel.IDEMPOTENT;
}
