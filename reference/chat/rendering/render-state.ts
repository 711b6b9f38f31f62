import type { CompiledLinkifier } from "./compile-linkifier.js";

/** The data of an organization that rendering needs. Each function is called at most once per name and message. */
export interface RenderContext {
  /** In order of precedence. */
  readonly linkifiers: readonly CompiledLinkifier[];
  /** Finds a user by full name, and by id for `@**Name|12**`; undefined if unknown. */
  readonly findUser: (name: string, id?: number) => { id: number; name: string } | undefined;
  /** Finds an active group. */
  readonly findGroup: (name: string) => { id: number; name: string; memberIds: readonly number[] } | undefined;
  readonly findChannel: (name: string) => { id: number; name: string } | undefined;
}

/** State that the plugins share while rendering one message, passed through markdown-it's `env`. */
export interface RenderState {
  readonly context: RenderContext;
  /** Caches results of the context, so that a repeated name is looked up once. */
  readonly lookUp: <Found>(kind: string, name: string, find: () => Found | undefined) => Found | undefined;
  /** The number of refused addresses in the text so far. */
  refusedAddresses: number;
}

/** Maximum distinct names looked up per message; further ones stay text. */
const maxNames = 500;

const stateKey = Symbol("rendering");

/** The `env` for one message. */
export function createRenderEnv(context: RenderContext): Record<symbol, RenderState> {
  const found = new Map<string, unknown>();
  return {
    [stateKey]: {
      context,
      lookUp: <Found>(kind: string, name: string, find: () => Found | undefined) => {
        const key = `${kind} ${name}`;
        if (!found.has(key)) {
          if (found.size >= maxNames) return undefined;
          found.set(key, find());
        }
        return found.get(key) as Found | undefined;
      },
      refusedAddresses: 0,
    },
  };
}

/** The state in an `env` made by `createRenderEnv`. Throws on any other. */
export function renderStateOf(env: Readonly<Record<symbol, unknown>>): RenderState {
  const state = env[stateKey];
  if (state === undefined) throw new Error("The env was not made by createRenderEnv");
  return state as RenderState;
}
