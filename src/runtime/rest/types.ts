/**
 * The types of calls, derived from the `operations` that openapi-typescript writes.
 */

/** The name of an operation. */
export type IdOf<Operations> = keyof Operations & string;

type Flat<T> = { [K in keyof T]: T[K] } & {};
type RequiredKeys<T> = { [K in keyof T]-?: object extends Pick<T, K> ? never : K }[keyof T];

type Place = "path" | "query" | "header" | "cookie";
type ParametersIn<O, In extends Place> = O extends { parameters: { [K in In]?: infer P } }
  ? [P] extends [undefined]
    ? unknown
    : NonNullable<P>
  : unknown;
type OwnParameters<O> = ParametersIn<O, "path"> &
  ParametersIn<O, "query"> &
  ParametersIn<O, "header"> &
  ParametersIn<O, "cookie">;

type JsonType = `${string}/json${string}` | `${string}+json${string}`;
type FormType = `application/x-www-form-urlencoded${string}` | `multipart/form-data${string}`;

/** Those keys of an object that match, or never. */
type Matching<C, Type> = Extract<keyof C, Type>;

/** The content of a body: of several media types, JSON, else a form, else any other. */
type ContentOfBody<C> = [Matching<C, JsonType>] extends [never]
  ? [Matching<C, FormType>] extends [never]
    ? { readonly raw: keyof C extends `text/${string}` ? string : Blob | string }
    : { readonly form: C[Matching<C, FormType>] }
  : { readonly json: C[Matching<C, JsonType>] };

/** The fields of a form, under another name if a parameter has the same. */
type FieldsOf<Form, P> = { [K in keyof Form as K extends keyof P & string ? `body.${K}` : K]: Form[K] };

type WholeBody<B, P, Required> = "body" extends keyof P
  ? Required extends true
    ? { requestBody: B }
    : { requestBody?: B }
  : Required extends true
    ? { body: B }
    : { body?: B };

type BodyParameters<C, P, Required> =
  ContentOfBody<C> extends infer Content
    ? Content extends { readonly form: infer Form }
      ? FieldsOf<Form, P>
      : Content extends { readonly json: infer B } | { readonly raw: infer B }
        ? WholeBody<B, P, Required>
        : never
    : never;

type BodyOf<O, P> = O extends { requestBody?: infer B }
  ? [NonNullable<B>] extends [never]
    ? unknown
    : NonNullable<B> extends { content: infer C }
      ? BodyParameters<C, P, undefined extends B ? false : true>
      : unknown
  : unknown;

/** The parameters of an operation in one flat object: path, query, headers, cookies, the fields of a form, and any other body as `body`. */
export type ParametersOf<O> = Flat<OwnParameters<O> & BodyOf<O, OwnParameters<O>>>;

/** The arguments of a call: without required parameters, all are optional. */
export type ArgumentsOf<O, Options> = [RequiredKeys<ParametersOf<O>>] extends [never]
  ? [parameters?: ParametersOf<O>, options?: Options]
  : [parameters: ParametersOf<O>, options?: Options];

/** The responses of an operation, by status. */
export type ResponsesOf<O> = O extends { responses: infer R } ? R : never;

/** The body of a response. Undefined if it has none. */
export type ContentOf<R> = R extends { content: infer C }
  ? [keyof C] extends [never]
    ? undefined
    : { [T in keyof C]: T extends JsonType ? C[T] : T extends `text/${string}` ? string : Blob }[keyof C]
  : undefined;

/**
 * An HTTP status that the contract does not document for the operation, such as 429. Its own type, so that comparing `status` with a
 * documented status narrows the result. At run time it is a number; read it as `response.status`.
 */
export declare enum OtherStatus {
  Undocumented = -1,
}

interface Success<Status, Data> {
  readonly ok: true;
  readonly status: Status;
  readonly data: Data;
  readonly response: Response;
}

interface Failure<Status, Body> {
  readonly ok: false;
  readonly status: Status;
  readonly error: Body;
  readonly response: Response;
}

type IsSuccess<Status> = `${Status & (string | number)}` extends `2${string}` ? true : false;

type ResultFor<Responses, Status extends keyof Responses> =
  IsSuccess<Status> extends true
    ? Success<Status extends number ? Status : OtherStatus, ContentOf<Responses[Status]>>
    : Failure<Status extends number ? Status : OtherStatus, ContentOf<Responses[Status]>>;

/** Without a documented success, the response that stands for all others may be one. */
type DefaultSuccess<Responses> = true extends { [S in keyof Responses]: IsSuccess<S> }[keyof Responses]
  ? never
  : Success<OtherStatus, "default" extends keyof Responses ? ContentOf<Responses["default"]> : unknown>;

/** Without a response that stands for all others, a server may still send one. */
type UnknownFailure<Responses> = "default" extends keyof Responses ? never : Failure<OtherStatus, unknown>;

/** The result of a call: a union discriminated by `ok` and `status`. */
export type ResultOf<O> =
  | {
      [S in keyof ResponsesOf<O>]: ResultFor<ResponsesOf<O>, S>;
    }[keyof ResponsesOf<O>]
  | DefaultSuccess<ResponsesOf<O>>
  | UnknownFailure<ResponsesOf<O>>;

/** Any result. */
export type AnyResult = Success<number, unknown> | Failure<number, unknown>;

type ErrorsOf<Responses> = {
  [S in keyof Responses]: IsSuccess<S> extends true ? never : ContentOf<Responses[S]>;
}[keyof Responses];

/** The documented bodies of the errors of operations. */
export type ErrorBodyOf<Operations> = {
  [Id in keyof Operations]: Exclude<ErrorsOf<ResponsesOf<Operations[Id]>>, undefined>;
}[keyof Operations];
