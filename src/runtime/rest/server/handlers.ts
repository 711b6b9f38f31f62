import type { ContentOf, IdOf, ParametersOf, ResponsesOf } from "../types.js";
import type { Refusal, Reply, UndocumentedRefusal } from "./refusal.js";

/** What is particular to the types of a contract. */
export interface HandlerTypes {
  /** The operations that need no login, and those that do not insist on one. */
  readonly withoutLogin: string;
  readonly optionalLogin: string;
  /** The members that all successes have, and all errors, which handlers leave out. */
  readonly success: string;
  readonly error: string;
}

/** The caller of an operation. */
export type CallerOf<Id, Caller, Types extends HandlerTypes> = Id extends Types["withoutLogin"]
  ? undefined
  : Id extends Types["optionalLogin"]
    ? Caller | undefined
    : Caller;

/** The argument of a handler. */
export interface HandlerCall<O, Caller> {
  /** The decoded and validated parameters. */
  readonly parameters: ParametersOf<O>;
  /** The authenticated caller. Undefined for operations that need no login. */
  readonly caller: Caller;
  /** Looks up a header of the request by its lower-case name, such as `user-agent`. */
  readonly header: (name: string) => string | undefined;
}

type Numeric<S> = S extends number ? S : S extends "default" | `${number}XX` ? number : never;
type IsSuccess<S> = S extends number ? (`${S}` extends `2${string}` ? true : false) : S extends "2XX" ? true : false;
type Without<Body, Member extends string> = Body extends object
  ? keyof Omit<Body, Member> extends never
    ? undefined | void
    : Omit<Body, Member>
  : Body;

type SuccessStatus<R> = { [S in keyof R]: IsSuccess<S> extends true ? S : never }[keyof R];
/** Without a documented success, the response that stands for all others is one. */
type Successes<R> = [SuccessStatus<R>] extends [never] ? Extract<keyof R, "default"> : SuccessStatus<R>;

type BodyFor<R, S extends keyof R, Member extends string> = [Member] extends [never]
  ? ContentOf<R[S]> extends undefined
    ? undefined | void
    : ContentOf<R[S]>
  : Without<ContentOf<R[S]>, Member>;

/** The success result of a handler: the body of the response, without the members that all successes have. */
export type SuccessOf<O, Member extends string = never> = {
  [S in Successes<ResponsesOf<O>>]:
    | BodyFor<ResponsesOf<O>, S, Member>
    | Reply<Numeric<S>, BodyFor<ResponsesOf<O>, S, Member>>;
}[Successes<ResponsesOf<O>>];

/** The refusals that a contract documents for an operation. */
export type RefusalOf<O, Member extends string = never> =
  | UndocumentedRefusal
  | {
      [S in keyof ResponsesOf<O>]: IsSuccess<S> extends true
        ? never
        : Refusal<
            Numeric<S>,
            ContentOf<ResponsesOf<O>[S]> extends infer Body ? (Body extends object ? Omit<Body, Member> : Body) : never
          >;
    }[keyof ResponsesOf<O>];

type ResultOf<O, Types extends HandlerTypes> = SuccessOf<O, Types["success"]> | RefusalOf<O, Types["error"]>;

/** The implementation of one operation. */
export type Handler<O, Caller, Types extends HandlerTypes> = (
  call: HandlerCall<O, Caller>,
) => ResultOf<O, Types> | Promise<ResultOf<O, Types>>;

/** An implementation of all operations, with one function for each. */
export type Handlers<Operations, Caller, Types extends HandlerTypes> = {
  readonly [Id in IdOf<Operations>]: Handler<Operations[Id], CallerOf<Id, Caller, Types>, Types>;
};

/** The handlers of operations that a server does not have. */
const unimplemented = new WeakSet<object>();

/** Whether a handler stands for an operation that a server does not have. */
export function isUnimplemented(handler: object): boolean {
  return unimplemented.has(handler);
}

/**
 * Creates handlers that all refuse. Replace them one by one. Until then, `Allow` does not list an operation,
 * and its parameters are not looked at.
 */
export function createUnimplemented(
  ids: readonly string[],
  refusal: (id: string) => Refusal,
): Readonly<Record<string, () => Refusal>> {
  const handlers = ids.map((id) => {
    const handler = () => refusal(id);
    unimplemented.add(handler);
    return [id, handler];
  });
  return Object.fromEntries(handlers);
}
