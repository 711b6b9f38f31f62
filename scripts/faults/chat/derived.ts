import { newestLevel } from "../../../generated/chat/request-levels.js";
import { chatAtLevel } from "../../../src/chat/chat-at-level.js";
import { loadContract } from "../../../src/chat/contract.js";
import { expectedOf, expectsRefusal } from "../../../src/contract/calls.js";
import type { CallStep, Check } from "../../../src/contract/check.js";
import { valueAt } from "../../../src/contract/json-pointer.js";
import type { Case } from "../../../src/contract/rest/cases.js";
import type { ContractDocument, ResponseObject, Schema } from "../../../src/contract/rest/document.js";
import { resolve } from "../../../src/contract/rest/document.js";
import { casesAtLevel } from "../../../src/contract/rest/level/cases-at-level.js";
import { listOperations } from "../../../src/contract/rest/operations.js";
import type { Behaviour, OperationId } from "./behaviour.js";
import { changesJson, changesResponse, holdersOf } from "./changes.js";
import type { ChatFault } from "./fault.js";
import { failure, isJson, type Json, jsonOf, success, withJson } from "./messages.js";
import { ignores, omits } from "./operators.js";

/**
 * The faults that follow from the contract: every refusal forgiven or with another code, every success refused, every value that a case fixes
 * changed, every required field omitted, and every parameter ignored. Each names the case or workflow that should notice it.
 */
export async function derivedFaults(): Promise<readonly ChatFault[]> {
  const contract = await loadContract();
  const cases = casesAtLevel(contract, newestLevel);
  const of = (operation: string) => cases.filter(({ operationId }) => operationId === operation);
  const bodyOf = (operation: string) => of(operation).find(isSuccess)?.response.body;
  const workflows = (await chatAtLevel(newestLevel)).checks.filter(({ kind }) => kind === "workflow");
  const all = [
    ...workflows.flatMap((check) => ofWorkflow(check, bodyOf)),
    ...cases.flatMap((one) => (isRefusal(one) ? ofRefusal(one, of(one.operationId).find(isSuccess)) : ofSuccess(one))),
    ...listOperations(contract).flatMap(({ operation: { operationId, responses } }) => [
      ...(responses["200"] === undefined
        ? []
        : ofFields(contract, responses["200"], of(operationId).filter(isSuccess))),
      ...ofParameters(of(operationId), workflows),
    ]),
  ];
  return all.filter(({ name }) => !(name in unnoticed));
}

const notReturned = "no operation returns it";
const notShownIfRefused = "the workflow shows nothing if the request is refused";

/** The derived faults that no check can notice, with the reason. */
const unnoticed: Readonly<Record<string, string>> = {
  "conventions-nothing-else-muteUser-refused": notShownIfRefused,
  "uploads-read-same-name-uploadFile-refused": notShownIfRefused,
  "users-only-owner-keeps-role-updateUserByEmail-refused":
    "the workflow ends at a request that only prepares the one that shows the rule",
  "createProfileField-without-parameter-name": notReturned,
  "createProfileField-without-parameter-hint": notReturned,
  "createProfileField-without-parameter-required": notReturned,
  "updateUserByEmail-without-parameter-full_name": notReturned,
  "uploadFile-without-parameter-file": "it is no form field, but a part of a multipart body",
  "uploadFile-without-parameter-colour": "the operation has no such parameter",
};

function isSuccess({ response }: Case): boolean {
  return response.status < 300;
}

function isRefusal(one: Case): boolean {
  return !isSuccess(one) && isJson(one.response.body);
}

function callsOf({ steps }: Check): CallStep[] {
  return steps.flatMap((step) => (step.kind === "call" ? step : []));
}

/** An operation of a workflow refuses what it must accept there, or accepts what it must refuse. */
function ofWorkflow(check: Check, bodyOf: (operation: string) => unknown): ChatFault[] {
  const calls = callsOf(check).filter(({ precondition }) => precondition === undefined);
  const named = new Set(check.steps.flatMap(({ rules = [] }) => rules));
  // A step that names no rule shows those of the workflow that no step names.
  const others = check.rules.filter((rule) => !named.has(rule));
  const faults = new Map<string, ChatFault>();
  for (const step of calls) {
    const { call, rules = others } = step;
    if (call === undefined || rules.length === 0) continue;
    const on = call as OperationId;
    const isRefused = expectsRefusal(step);
    if (!isRefused && expectedOf(step).status !== 200) continue;
    const name = `${check.id.replace("workflow ", "")}-${on}-${isRefused ? "forgiven" : "refused"}`;
    const breaks = [...(faults.get(name)?.breaks ?? []), ...rules, on];
    const summary = `${isRefused ? "accepts what it must refuse" : "refuses what it must accept"}: \`${on}\` in ${check.id}`;
    const behaviour = isRefused ? forgives(on, bodyOf(on)) : refuses(on);
    faults.set(name, { name, family: "derived", summary, behaviour, breaks, checkedBy: [check.id] });
  }
  return [...faults.values()];
}

function forgives(on: OperationId, body: unknown): Behaviour {
  return changesResponse(on, ({ status }) => (status < 400 ? undefined : success(isJson(body) ? body : {})));
}

function refuses(on: OperationId): Behaviour {
  return changesResponse(on, ({ status }) => (status < 300 ? failure() : undefined));
}

function ofRefusal(one: Case, other: Case | undefined): ChatFault[] {
  const recoded = changesResponse(idOf(one), (response) => {
    const refused = jsonOf(response);
    return response.status < 400 || refused === undefined
      ? undefined
      : withJson(response, { ...refused, code: "SOMETHING_ELSE" });
  });
  return [
    faultOf([one], "forgiven", `returns success instead of: ${one.summary}`, forgives(idOf(one), other?.response.body)),
    ...(one.open === undefined
      ? [faultOf([one], "other-code", `returns another code for: ${one.summary}`, recoded)]
      : []),
  ];
}

function ofSuccess(one: Case): ChatFault[] {
  return [
    faultOf([one], "refused", `refuses: ${one.summary}`, refuses(idOf(one))),
    ...one.exact.map((pointer) => {
      const behaviour = changesJson(idOf(one), (body, { status }) => {
        if (status < 300) changeAt(body, pointer);
      });
      const name = pointer.replaceAll(/\W+/g, "-");
      return faultOf([one], `other${name}`, `returns another value at ${pointer} for: ${one.summary}`, behaviour);
    }),
  ];
}

/** Changes a value into another one of its type. */
function changeAt(body: Json, pointer: string): void {
  const at = pointer.lastIndexOf("/");
  const [holder, key] = [valueAt(body, pointer.slice(0, at)) as Json | undefined, pointer.slice(at + 1)];
  const value = holder?.[key];
  if (holder === undefined || value === undefined) return;
  if (typeof value === "number") holder[key] = value + 1;
  else if (typeof value === "boolean") holder[key] = !value;
  else if (typeof value === "string") holder[key] = `${value}x`;
  else if (Array.isArray(value)) holder[key] = value.length > 0 ? [] : ["x"];
  else holder[key] = value === null ? "x" : {};
}

function ofFields(
  contract: ContractDocument,
  response: ResponseObject | { readonly $ref: string },
  cases: readonly Case[],
): ChatFault[] {
  const { content = {} } = resolve<ResponseObject>(contract, response);
  const schema = content["application/json"]?.schema;
  return schema === undefined
    ? []
    : requiredPaths(contract, schema).flatMap((path) => {
        const having = cases.find(
          ({ response: { body } }) => isJson(body) && holdersOf(body, path).some(([holder, key]) => key in holder),
        );
        if (having === undefined) return [];
        const name = `without-${path.replaceAll(/\W+/g, "-")}`;
        return [faultOf([having], name, `omits \`${path}\``, omits(idOf(having), path), [having.operationId])];
      });
}

/** Lists the required fields of a response, such as `messages[].id`. */
function requiredPaths(contract: ContractDocument, schema: Schema, depth = 0): string[] {
  const { properties = {}, required = [] } = resolve<Schema>(contract, schema);
  const parts = (resolve<Schema>(contract, schema).allOf ?? []) as readonly Schema[];
  const own = required.flatMap((name) => {
    const property = resolve<Schema>(contract, properties[name] ?? {});
    const [inner, mark] = property.items === undefined ? [property, ""] : [property.items, "[]"];
    const deeper = depth < 2 ? requiredPaths(contract, inner as Schema, depth + 1) : [];
    return [name, ...deeper.map((path) => `${name}${mark}.${path}`)];
  });
  return [...new Set([...own, ...parts.flatMap((part) => requiredPaths(contract, part, depth))])];
}

function ofParameters(cases: readonly Case[], workflows: readonly Check[]): ChatFault[] {
  const sent = ({ request: { query, body = {} } }: Case) => Object.keys({ ...query, ...body });
  return [...new Set(cases.flatMap(sent))].flatMap((name) => {
    const sending = cases.filter((one) => sent(one).includes(name));
    const [first] = sending;
    if (first === undefined) return [];
    const also = workflows.filter((one) =>
      callsOf(one).some((step) => step.call === first.operationId && name in step.with),
    );
    const fault = faultOf(sending, `without-parameter-${name}`, `ignores \`${name}\``, ignores(idOf(first), name));
    const breaks = [...fault.breaks, ...also.flatMap(({ rules }) => rules)];
    return [{ ...fault, breaks, checkedBy: [...fault.checkedBy, ...also.map(({ id }) => id)] }];
  });
}

function idOf({ operationId }: Case): OperationId {
  return operationId as OperationId;
}

function faultOf(
  cases: readonly Case[],
  kind: string,
  summary: string,
  behaviour: Behaviour,
  breaks = cases.flatMap(({ rule, also }) => [rule, ...also]),
): ChatFault {
  const [one] = cases;
  const about = kind.startsWith("without") ? one?.operationId : `${one?.operationId}-${one?.name}`;
  return {
    name: `${about}-${kind}`,
    ...{ family: "derived", summary, behaviour },
    breaks: [...breaks, one?.operationId ?? ""],
    checkedBy: cases.map(({ operationId, name }) => `case ${operationId}/${name}`),
  };
}
