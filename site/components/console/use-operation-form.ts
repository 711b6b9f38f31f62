import { type ComputedRef, computed, type Reactive, type Ref, reactive, ref } from "vue";
import { holdsAt } from "../../../src/contract/rest/rule.js";
import type { HttpRequest } from "../../../src/judge/http-message.js";
import { buildRequest } from "./build-request.js";
import type { CaseData, OperationData } from "./console-data.js";
import { type Field, fillFromCase, listFields } from "./fields.js";
import { parseServerUrl } from "./server-url.js";
import type { Settings } from "./settings.js";

/** A request, or the reason why the form holds none. */
export interface BuiltRequest {
  readonly request?: HttpRequest;
  readonly problem?: string;
}

/** The form of an operation: the chosen case, the fields, and the request that they make. */
export interface OperationForm {
  /** Empty for a custom request. */
  readonly caseName: Readonly<Ref<string>>;
  readonly chosen: ComputedRef<CaseData | undefined>;
  /** The cases of the level. */
  readonly cases: ComputedRef<readonly CaseData[]>;
  /** The fields of the level, then the others that the case sends. */
  readonly fields: ComputedRef<readonly (Field & { readonly isUnknown?: true })[]>;
  readonly values: Reactive<Record<string, string | File>>;
  readonly built: ComputedRef<BuiltRequest>;
  /** Chooses a case, and fills the fields with its request. */
  readonly choose: (name: string) => void;
  /** Fills the fields with the request of the chosen case, with some parameters replaced. */
  readonly refill: (replaced: Readonly<Record<string, unknown>>) => void;
  /** Sets a field; undefined omits it from the request. */
  readonly set: (name: string, value: string | File | undefined) => void;
}

/** Creates the form of an operation, empty until `choose` is called. */
export function useOperationForm(
  operationId: string,
  data: Readonly<Ref<OperationData | undefined>>,
  level: Readonly<Ref<number>>,
  settings: Settings,
): OperationForm {
  const caseName = ref("");
  const values = reactive<Record<string, string | File>>({});
  const chosen = computed(() => data.value?.cases.find(({ name }) => name === caseName.value));
  const known = computed(() => listFields(operationId, data.value?.fields ?? {}, level.value));
  const fields = computed(() => [
    ...known.value,
    ...Object.keys(values)
      .filter((name) => !known.value.some((field) => field.name === name))
      .map(unknownField),
  ]);
  const built = computed<BuiltRequest>(() => {
    const server = parseServerUrl(settings.chat);
    if (server.kind === "problem") return { problem: server.problem };
    try {
      return { request: buildRequest(operationId, server.url, { ...values }, settings) };
    } catch (error) {
      if (error instanceof TypeError) return { problem: `${error.message}.` };
      throw error;
    }
  });

  function refill(replaced: Readonly<Record<string, unknown>>): void {
    if (chosen.value === undefined) return;
    for (const name of Object.keys(values)) delete values[name];
    Object.assign(values, fillFromCase(chosen.value, replaced));
  }

  return {
    caseName,
    chosen,
    cases: computed(() => (data.value?.cases ?? []).filter((one) => holdsAt(one, level.value))),
    fields,
    values,
    built,
    choose: (name) => {
      caseName.value = name;
      refill({});
    },
    refill,
    set: (name, value) => {
      if (value === undefined) delete values[name];
      else values[name] = value;
    },
  };
}

/** A parameter of a case that the operation does not have at the level. */
function unknownField(name: string): Field & { readonly isUnknown: true } {
  return {
    name,
    kind: "string",
    location: "body",
    required: false,
    deprecated: false,
    choices: [],
    parameter: undefined,
    isUnknown: true,
  };
}
