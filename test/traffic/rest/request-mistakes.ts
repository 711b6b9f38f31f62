import { edited, messages, type PlantedRequest, range } from "./exchange-findings.js";
import { errorAnswer } from "./recorded-exchange.js";

/** Mistakes in the body, the credentials, the headers and the level of a request. */
export const requestMistakes: readonly PlantedRequest[] = [
  [
    "a JSON body",
    { call: "PATCH /messages/5", body: '{"topic":"x"}', type: "application/json", status: 415, answer: errorAnswer() },
    "must request.media-type application/json",
    /must be application\/x-www-form-urlencoded/,
  ],
  [
    "a body without a type",
    { call: "PATCH /messages/5", body: "topic=x", type: "", status: 400, answer: errorAnswer() },
    "must request.media-type missing",
    /no Content-Type/,
  ],
  [
    "a form for an upload",
    { call: "POST /user_uploads", form: { file: "x" }, status: 400, answer: errorAnswer() },
    "must request.media-type application/x-www-form-urlencoded",
    /must be multipart\/form-data/,
  ],
  [
    "a multipart body without a boundary",
    {
      call: "POST /user_uploads",
      body: "--x\r\n\r\n--x--",
      type: "multipart/form-data",
      status: 400,
      answer: errorAnswer(),
    },
    "must request.media-type body",
    /malformed/,
  ],
  [
    "a multipart form",
    {
      call: "PATCH /messages/5",
      body: '--x\r\nContent-Disposition: form-data; name="topic"\r\n\r\nfun\r\n--x--\r\n',
      type: "multipart/form-data; boundary=x",
      answer: edited,
    },
    "should request.unsupported media type",
    /documents application\/x-www-form-urlencoded/,
  ],
  [
    "no credentials",
    { call: `GET /messages?anchor=1&${range}`, authorization: null, status: 401, answer: errorAnswer("UNAUTHORIZED") },
    "must request.credentials missing",
    /needs a login/,
  ],
  [
    "a bearer token",
    {
      call: `GET /messages?anchor=1&${range}`,
      authorization: "Bearer sesame-token-1",
      status: 401,
      answer: errorAnswer("UNAUTHORIZED"),
    },
    "must request.credentials scheme",
    /not Bearer/,
  ],
  [
    "credentials that are not encoded",
    {
      call: `GET /messages?anchor=1&${range}`,
      authorization: "Basic me@example.com:key",
      status: 401,
      answer: errorAnswer("UNAUTHORIZED"),
    },
    "must request.credentials form",
    /base64/,
  ],
  [
    "credentials without a key",
    {
      call: `GET /messages?anchor=1&${range}`,
      authorization: `Basic ${btoa("me@example.com")}`,
      status: 401,
      answer: errorAnswer("UNAUTHORIZED"),
    },
    "must request.credentials form",
    /colon/,
  ],
  [
    "a key in the query",
    { call: `GET /messages?anchor=1&${range}&api_key=sesame-key`, answer: messages },
    "must request.credentials-in-url api_key",
    /Authorization header/,
  ],
  [
    "a later operation",
    { call: "POST /reminders", form: { message_id: "1" }, status: 404, answer: errorAnswer() },
    "must request.level createReminder",
    /from feature level 381 on, but the server has level 300/,
    300,
  ],
  [
    "a later parameter",
    { call: "PATCH /messages/5", form: { content: "x", prev_content_sha256: "0".repeat(64) }, answer: edited },
    "must request.level prev_content_sha256",
    /379/,
    378,
  ],
  [
    "a parameter that was required",
    { call: "GET /messages?anchor=1&num_before=1", status: 400, answer: errorAnswer() },
    "must request.required num_after",
    /missing/,
    299,
  ],
  [
    "a deprecated operation",
    { call: "PATCH /users/me/subscriptions/muted_topics", form: { stream_id: "9", topic: "x", op: "add" } },
    "should request.deprecated updateMutedTopic",
    /deprecated/,
  ],
  [
    "a deprecated parameter",
    { call: "GET /messages?use_first_unread_anchor=true&num_before=0&num_after=0", answer: messages },
    "should request.deprecated use_first_unread_anchor",
    /deprecated/,
  ],
  [
    "a user name that is not an address",
    {
      call: "DELETE /users/me",
      authorization: `Basic ${btoa("17:sesame")}`,
      status: 401,
      answer: errorAnswer("UNAUTHORIZED"),
    },
    "must request.credentials user",
    /e-mail address/,
  ],
  [
    "a key in the form",
    { call: "PATCH /messages/5", form: { topic: "x", api_key: "sesame" }, answer: edited },
    "must request.credentials api_key",
    /Authorization header/,
  ],
  [
    "a JSON body of a GET",
    { call: `GET /messages?anchor=1&${range}`, body: "{}", type: "application/json", answer: messages },
    "must request.place body",
    /query string/,
  ],
  [
    "a form in Latin-1",
    { call: "PATCH /messages/5", body: "topic=%E4rger", type: "application/x-www-form-urlencoded", answer: edited },
    "must request.type UTF-8",
    /not in UTF-8/,
  ],
];
