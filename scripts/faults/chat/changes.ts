import type { StateName } from "../../../generated/chat/states.js";
import { type Behaviour, type OperationId, setupOf } from "./behaviour.js";
import type { KnownOrganizations } from "./known-organizations.js";
import { isJson, type Json, jsonOf, listOf, parametersOf, withJson, withParameters } from "./messages.js";
import type { Forward, Handle, WireRequest, WireResponse } from "./wire.js";

/** The operations that a behaviour changes. */
export type On = OperationId | Behaviour["on"];

/** A stateless behaviour. */
export function always(
  on: On,
  handle: (request: WireRequest, forward: Forward, known: KnownOrganizations) => ReturnType<Handle>,
): Behaviour {
  return { on: operationsOf(on), start: (known) => (request, forward) => handle(request, forward, known) };
}

/** A behaviour that remembers something. `create` makes what each server starts with. */
export function remembers<Memory>(
  on: On,
  create: () => Memory,
  handle: (request: WireRequest, forward: Forward, memory: Memory, known: KnownOrganizations) => ReturnType<Handle>,
): Behaviour {
  return {
    on: operationsOf(on),
    start: (known) => {
      const memory = create();
      return (request, forward) => handle(request, forward, memory, known);
    },
  };
}

function operationsOf(on: On): Behaviour["on"] {
  return typeof on === "string" && on !== "all" ? [on] : on;
}

/** The context of a response. */
export interface About {
  readonly status: number;
  readonly request: WireRequest;
  readonly parameters: URLSearchParams;
  readonly known: KnownOrganizations;
}

/** Changes the JSON of every response, in place or by the return value. Does not change a response that is not a JSON object. */
export function changesJson(on: On, change: (body: Json, about: About) => unknown): Behaviour {
  return always(on, async (request, forward, known) => {
    const response = await forward(request);
    const body = jsonOf(response);
    if (body === undefined) return response;
    const changed = await change(body, {
      ...{ status: response.status, request, known },
      get parameters() {
        return parametersOf(request);
      },
    });
    return withJson(response, changed === undefined ? body : changed);
  });
}

/** Changes the JSON of successes. */
export function changesSuccess(on: On, change: (body: Json, about: About) => unknown): Behaviour {
  return changesJson(on, (body, about) => (about.status < 300 ? change(body, about) : undefined));
}

/** Changes the JSON of errors. */
export function changesError(on: On, change: (body: Json, about: About) => unknown): Behaviour {
  return changesJson(on, (body, about) => (about.status >= 400 ? change(body, about) : undefined));
}

/** Changes the values that a provider state returns, in place. */
export function changesValues(
  state: StateName,
  change: (values: Json, params: Readonly<Record<string, unknown>>) => void,
): Behaviour {
  const handle: Handle = async (request, forward) => {
    const response = await forward(request);
    const values = jsonOf(response);
    if (response.status !== 200 || values === undefined) return response;
    change(values, setupOf(request).params ?? {});
    return withJson(response, values);
  };
  return { on: [], states: [state], start: () => handle };
}

/** Changes each message in the responses of `GET /messages`. */
export function changesMessages(change: (message: Json, about: About) => unknown): Behaviour {
  return changesSuccess("getMessages", (body, about) => {
    body.messages = listOf(body.messages).map((message) => change(message, about) ?? message);
  });
}

/** Changes whole responses; leaves one unchanged if the change is undefined. */
export function changesResponse(
  on: On,
  change: (response: WireResponse, request: WireRequest, known: KnownOrganizations) => WireResponse | undefined,
): Behaviour {
  return always(on, async (request, forward, known) => {
    const response = await forward(request);
    return change(response, request, known) ?? response;
  });
}

/** Changes requests before they are forwarded. */
export function changesRequest(
  on: On,
  change: (request: WireRequest, known: KnownOrganizations) => WireRequest,
): Behaviour {
  return always(on, (request, forward, known) => forward(change(request, known)));
}

/** Changes the form fields or query parameters before the request is forwarded. */
export function changesParameters(
  on: On,
  change: (parameters: URLSearchParams, request: WireRequest, known: KnownOrganizations) => unknown,
): Behaviour {
  return changesRequest(on, (request, known) =>
    withParameters(request, (parameters) => change(parameters, request, known)),
  );
}

/** The objects that hold the last key of a path such as `messages[].reactions[].user_id`, and that key. */
export function holdersOf(body: Json, path: string): readonly (readonly [holder: Json, key: string])[] {
  const [head = "", ...rest] = path.split(".");
  if (rest.length === 0) return [[body, head]];
  const inner = head.endsWith("[]") ? listOf(body[head.slice(0, -2)]) : [body[head]].filter(isJson);
  return inner.flatMap((one) => holdersOf(one, rest.join(".")));
}
