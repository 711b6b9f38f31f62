import type { RecordedExchange } from "../../../src/traffic/recorded/recorded-exchange.js";

/** A short form of an exchange. */
export interface ExchangeSketch {
  /** Method and target below `/api/v1`, such as `GET /messages?anchor=newest`. */
  readonly call: string;
  /** Fields of a form, as text. */
  readonly form?: Readonly<Record<string, string>> | string;
  readonly body?: string | Uint8Array;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Undefined for HTTP Basic credentials, null for none. */
  readonly authorization?: string | null;
  readonly status?: number;
  readonly answer?: unknown;
  readonly at?: number;
}

const credentials = `Basic ${Buffer.from("hamlet@example.com:sesame-key-0123").toString("base64")}`;

/** Makes an exchange from its short form. */
export function recordedExchange(sketch: ExchangeSketch): RecordedExchange {
  const { call, form, body, type, headers = {}, authorization = credentials, status = 200, at = 0 } = sketch;
  const [method = "", target = ""] = call.split(" ", 2);
  const isAbsolute = /^(?:https?:)?\/\//.test(target);
  const text = form === undefined ? (body ?? "") : new URLSearchParams(form).toString();
  const bytes = Buffer.from(text);
  const contentType = type ?? (form === undefined ? undefined : "application/x-www-form-urlencoded");
  const answer = Buffer.from(JSON.stringify(sketch.answer ?? { result: "success", msg: "" }));
  return {
    startedAt: at,
    endedAt: at + 5,
    request: {
      method,
      target: isAbsolute ? target.replace(/^\/\//, "/") : `/api/v1${target}`,
      headers: {
        host: "127.0.0.1:4015",
        ...(authorization === null ? {} : { authorization }),
        ...(bytes.length === 0 || contentType === undefined || contentType === ""
          ? {}
          : { "content-type": contentType }),
        ...headers,
      },
      body: bytes,
      bodyBytes: bytes.length,
    },
    response: {
      status,
      headers: { "content-type": "application/json" },
      body: answer,
      bodyBytes: answer.length,
    },
  };
}

/** The answer of an error. */
export function errorAnswer(code = "BAD_REQUEST"): object {
  return { result: "error", msg: "No.", code };
}
