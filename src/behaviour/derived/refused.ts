import type { Matcher } from "../../contract/matcher.js";
import { requestBodyOf } from "../../contract/rest/request-body.js";
import { escapeKey, plainType } from "../../contract/rest/resources/shapes.js";
import type { CallSource } from "../workflow-source.js";
import { own as inPath, required, statusOf } from "./make-things.js";
import { expectedIn, requestValues } from "./request-values.js";
import {
  bodyOf,
  type Context,
  changeStep,
  type DerivedWorkflow,
  draft,
  isScalarType,
  judged,
  makeKept,
  noun,
  readStep,
} from "./workflow-parts.js";

/** A refused change, creation or removal changes nothing. */
export function refused(context: Context): DerivedWorkflow[] {
  return [...refusedChange(context), ...refusedCreation(context), ...refusedRemoval(context)];
}

/** The operation that has the rule, whichever request is refused. */
function keeperOf({ resource: { change, replace, create } }: Context) {
  return change ?? replace ?? create;
}

function refusedChange(context: Context): DerivedWorkflow[] {
  const { document, resource } = context;
  const { read, change, replace } = resource;
  const changing = change ?? replace;
  const made = read && changing && makeKept(context);
  const body = changing && requestBodyOf(document, changing.operation);
  if (made === undefined || changing === undefined || read === undefined || body?.form !== "json") return [];
  const own = body.fields.find(({ field }) => field === made.values.own?.field);
  const broken = body.fields.find(
    ({ name, schema }) => name !== own?.name && isScalarType(plainType(document, schema)),
  );
  const values = requestValues(document, changing.operation, read.thing, { suffix: "-refused" });
  if (own === undefined || broken === undefined || values === undefined) return [];
  const given = changing === change ? {} : bodyOf(context, changing, values);
  const wrong = { ...given, [own.name]: "{$unique.word}-refused", [broken.name]: { accord: ["wrong"] } };
  const refusal = changeStep(context, made, changing, wrong, "refused", {
    precondition: true,
    expect: { status: "4XX" },
  });
  const expect = expectedIn(document, made.values, read.thing);
  return draft(context, {
    ...{ kind: "refused-changes-nothing", keeper: keeperOf(context), depth: "normal" },
    summary: `A change with a wrong \`${broken.name}\` changes nothing else`,
    steps: [...made.steps, ...made.kept, refusal, readStep(context, made, "read", judged, expect), ...made.removals],
  });
}

/** What a creation with a wrong value would have made is not listed. */
function refusedCreation(context: Context): DerivedWorkflow[] {
  const { document, resource, callerOf } = context;
  const { create, list } = resource;
  const made = create && list && makeKept(context);
  const body = create && requestBodyOf(document, create.operation);
  const { own } = made?.values ?? {};
  if (made === undefined || create === undefined || own === undefined || body?.form !== "json") return [];
  if (list?.listed.shape?.properties[own.field] === undefined) return [];
  const broken = body.fields.find(
    ({ name, schema }) =>
      name !== own.name && made.step.with?.[name] !== undefined && isScalarType(plainType(document, schema)),
  );
  const { at } = list.listed;
  const title = (text: string): Matcher => ({
    includes: { at: { [`/${escapeKey(own.field)}`]: text } },
  });
  const listStep = (id: string, more: Partial<CallSource>, matcher: Matcher): CallSource => ({
    ...{ id, call: list.operation.operationId, ...callerOf(list.operation), ...more },
    ...{ with: required(document, list, made.params), expect: { ...statusOf(list), [at]: matcher } },
  });
  const refusal = (wrong: object, more: Pick<CallSource, "as">): CallSource => ({
    ...{
      id: "refused",
      call: create.operation.operationId,
      ...callerOf(create.operation),
      ...more,
      precondition: true,
    },
    with: { ...made.step.with, [own.name]: "{$unique.word}-refused", ...wrong },
    expect: { status: "4XX" },
  });
  const listed = listStep("listed", { precondition: true, within: 3 }, title(String(made.step.with?.[own.name])));
  const after = listStep("list", judged, { not: title("{$unique.word}-refused") });
  const flow = (name: string, how: string, refused: CallSource): DerivedWorkflow[] =>
    draft(context, {
      ...{ name, kind: "refused-changes-nothing", keeper: keeperOf(context), depth: "normal" },
      summary: `A creation of ${noun(context)} ${how} makes nothing`,
      steps: [...made.steps, ...made.kept, listed, refused, after, ...made.removals],
    });
  return [
    ...(broken === undefined
      ? []
      : flow(
          "refused-creation-makes-nothing",
          `with a wrong \`${broken.name}\``,
          refusal({ [broken.name]: { accord: ["wrong"] } }, {}),
        )),
    // An operation that needs no login refuses nobody.
    ...(callerOf(create.operation).as !== undefined
      ? []
      : flow("creation-by-nobody-makes-nothing", "without credentials", refusal({}, { as: "nobody" }))),
  ];
}

/** What a caller without credentials tries to remove is still there. */
function refusedRemoval(context: Context): DerivedWorkflow[] {
  const { document, resource, callerOf } = context;
  const { read, remove } = resource;
  const made = read && remove && makeKept(context);
  // An operation that needs no login refuses nobody.
  if (made === undefined || remove === undefined || callerOf(remove.operation).as !== undefined) return [];
  const refusal: CallSource = {
    ...{ id: "refused", call: remove.operation.operationId, as: "nobody", precondition: true },
    ...{ with: required(document, remove, inPath(made.params, remove)), expect: { status: "4XX" } },
  };
  const expect = expectedIn(document, made.values, read?.thing);
  return draft(context, {
    ...{
      name: "refused-removal-removes-nothing",
      kind: "refused-changes-nothing",
      keeper: keeperOf(context),
      depth: "normal",
    },
    summary: `A removal of ${noun(context)} without credentials removes nothing`,
    steps: [...made.steps, ...made.kept, refusal, readStep(context, made, "read", judged, expect), ...made.removals],
  });
}
