import { expectedOf } from "../contract/calls.js";
import type { Bytes, CallStep, Step } from "../contract/check.js";
import { expressionOf, replaceExpressions } from "../contract/expressions.js";
import type { Matcher } from "../contract/matcher.js";
import { type Html, html } from "../report/html/html.js";
import { breakable, join } from "./fragment.js";

/** Links to what a step names. */
export interface StepLinks {
  readonly toRule: (id: string) => Html;
  /** The address of an operation, and of a provider state. */
  readonly operationAt: (id: string) => string;
  readonly stateAt: (name: string) => string;
}

/** Renders a step: what is sent, what the response must be, which values it gives to later steps, and which rules it shows. */
export function renderStep(step: Step, links: StepLinks): Html {
  const parts = [
    ...describe(step, links),
    ...(step.rules === undefined ? [] : [html`shows ${join(step.rules.map(links.toRule), ", ")}`]),
  ];
  return html`<li>${html`<b>${step.id}</b>: `}${join(parts, "; ")}</li>`;
}

function describe(step: Step, links: StepLinks): Html[] {
  switch (step.kind) {
    case "state": {
      const head = html`given <a href="${links.stateAt(step.state)}">${code(step.state)}</a>`;
      return [withSent(head, step.params), ...expects(bodyTexts(step.expect)), ...gives(step.values)];
    }
    case "call": {
      const { as, call, request, headers, outputs, precondition } = step;
      const caller = typeof as === "string" ? as : shown(as.email);
      const head =
        call === undefined
          ? html`<b>${caller}</b> sends ${code(`${request?.method} ${shown(request?.url)}`)}`
          : html`<b>${caller}</b> calls <a href="${links.operationAt(call)}">${code(call)}</a>`;
      return [
        withSent(head, { ...step.with, ...(typeof headers === "string" ? { headers } : headers) }),
        ...(precondition ? [html`if the response is as expected, the rest applies`] : []),
        ...expects(responseTexts(step)),
        ...gives(Object.keys(outputs ?? {})),
      ];
    }
    case "serve":
      return [html`given a host: ${code(step.host.kind)}`];
    case "parallel":
      return [html`at the same time:<ol class="steps">${step.steps.map((one) => renderStep(one, links))}</ol>`];
  }
}

function withSent(head: Html, values: Readonly<Record<string, unknown>>): Html {
  const sent = Object.entries(values).map(([name, value]) => `${name} = ${shown(value)}`);
  return sent.length === 0 ? head : html`${head} with ${codes(sent)}`;
}

function expects(texts: readonly string[]): Html[] {
  return texts.length === 0 ? [] : [html`expects ${codes(texts)}`];
}

function gives(names: readonly string[]): Html[] {
  const values = names.filter((name) => name !== "organization" && name !== "credentials");
  return values.length === 0 ? [] : [html`gives ${codes(values)}`];
}

function responseTexts(step: CallStep): string[] {
  const { readBack } = step;
  const { status = "any", recommendedBy, body, headers = {}, bytes } = expectedOf(step);
  if (readBack !== undefined)
    return readBack.since === undefined ? [] : [`${readBack.compare} as in ${readBack.since}`];
  const first =
    status === "4XX" ? ["any refusal"] : typeof status === "object" ? matcherTexts("status", status) : [status];
  return [
    ...first.map((one) => (recommendedBy === undefined ? String(one) : `${one} recommended`)),
    ...bodyTexts(body),
    ...Object.entries(headers).flatMap(([name, matcher]) => matcherTexts(`header ${name}`, matcher)),
    ...(bytes === undefined ? [] : [`bytes ${bytesText(bytes)}`]),
  ];
}

function bodyTexts(body: Readonly<Record<string, Matcher>> = {}): string[] {
  return Object.entries(body).flatMap(([pointer, matcher]) => matcherTexts(shown(pointer), matcher));
}

/** Phrases such as `/messages/0/id = {sent.message_id}`, `no /anchor` and `/messages/0/content matches ^<p>`. */
function matcherTexts(place: string, matcher: Matcher): string[] {
  if (typeof matcher !== "object" || matcher === null || Array.isArray(matcher))
    return [`${place} = ${shown(matcher)}`];
  return Object.entries(matcher).flatMap(([operator, operand]) => {
    if (operator === "present") return [operand ? place : `no ${place}`];
    if (operator === "at")
      return Object.entries(operand as Readonly<Record<string, Matcher>>).flatMap(([below, one]) =>
        matcherTexts(`${place}${shown(below)}`, one),
      );
    return [`${place || "the response"} ${operator} ${shown(operand)}`];
  });
}

function bytesText(bytes: Bytes): string {
  return typeof bytes === "string"
    ? bytes
    : "text" in bytes
      ? JSON.stringify(bytes.text)
      : `${bytes.length} × ${bytes.fill}`;
}

/** A value, in which `{sent.message_id}` stands for a value of the step `sent`. */
function shown(value: unknown): string {
  if (typeof value !== "string") return JSON.stringify(value, (_, one) => (typeof one === "string" ? shown(one) : one));
  if (value.startsWith("$$")) return value.slice(2);
  const whole = expressionOf(value);
  return whole === undefined ? replaceExpressions(value, (expression) => `{${expression}}`) : `{${whole}}`;
}

function code(text: string): Html {
  return html`<code>${breakable(text)}</code>`;
}

function codes(texts: readonly string[]): Html {
  return join(texts.map(code), ", ");
}
