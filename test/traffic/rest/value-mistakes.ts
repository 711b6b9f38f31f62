import { edited, type PlantedRequest, range } from "./exchange-findings.js";
import { errorAnswer } from "./recorded-exchange.js";

/** Mistakes in the values of parameters. */
export const valueMistakes: readonly PlantedRequest[] = [
  [
    "a fraction",
    { call: "POST /default_streams", form: { stream_id: "9.5" }, status: 400, answer: errorAnswer() },
    "must request.type stream_id",
    /must be an integer/,
  ],
  [
    "a quoted integer",
    { call: "POST /default_streams", form: { stream_id: '"9"' }, status: 400, answer: errorAnswer() },
    "must request.type stream_id",
    /without quotation marks/,
  ],
  [
    "an empty integer",
    { call: "POST /default_streams", form: { stream_id: "" }, status: 400, answer: errorAnswer() },
    "must request.type stream_id",
    /must be an integer/,
  ],
  [
    "the text null",
    { call: "POST /reminders", form: { message_id: "null" }, status: 400, answer: errorAnswer() },
    "must request.type message_id",
    /must be omitted/,
  ],
  [
    "a boolean of Python",
    { call: `GET /messages?anchor=1&${range}&apply_markdown=False`, status: 400, answer: errorAnswer() },
    "must request.type apply_markdown",
    /Python/,
  ],
  [
    "a boolean as a number",
    { call: `GET /messages?anchor=1&${range}&apply_markdown=0`, status: 400, answer: errorAnswer() },
    "must request.type apply_markdown",
    /true or false/,
  ],
  [
    "a list with commas",
    { call: "DELETE /users/me/subscriptions", form: { subscriptions: "a,b" }, status: 400, answer: errorAnswer() },
    "must request.type subscriptions",
    /not separated by commas/,
  ],
  [
    "a bare text for a list",
    { call: "DELETE /users/me/subscriptions", form: { subscriptions: "Verona" }, status: 400, answer: errorAnswer() },
    "must request.type subscriptions",
    /must be JSON text/,
  ],
  [
    "a list of Python",
    { call: "DELETE /users/me/subscriptions", form: { subscriptions: "['a']" }, status: 400, answer: errorAnswer() },
    "must request.type subscriptions",
    /double quotation marks/,
  ],
  [
    "a list that is encoded twice",
    {
      call: "DELETE /users/me/subscriptions",
      form: { subscriptions: '"[\\"a\\"]"' },
      status: 400,
      answer: errorAnswer(),
    },
    "must request.type subscriptions",
    /encoded twice/,
  ],
  [
    "a list with brackets in its name",
    {
      call: "DELETE /users/me/subscriptions",
      form: "subscriptions[]=a&subscriptions[]=b",
      status: 400,
      answer: errorAnswer(),
    },
    "must request.type subscriptions",
    /send subscriptions once, as JSON text/,
  ],
  [
    "a list as repeated fields",
    {
      call: "DELETE /users/me/subscriptions",
      form: "subscriptions=a&subscriptions=b",
      status: 400,
      answer: errorAnswer(),
    },
    "should request.repeated subscriptions",
    /more than once/,
  ],
  [
    "an object where a list belongs",
    { call: "DELETE /users/me/subscriptions", form: { subscriptions: '{"a":1}' }, status: 400, answer: errorAnswer() },
    "must request.type subscriptions",
    /must be array/,
  ],
  [
    "numbers where texts belong",
    { call: "DELETE /users/me/subscriptions", form: { subscriptions: "[1]" }, status: 400, answer: errorAnswer() },
    "must request.value subscriptions",
    /at 0/,
  ],
  [
    "a wrong word",
    { call: "POST /messages/5/typing", form: { op: "begin" }, status: 400, answer: errorAnswer() },
    "must request.value op",
    /must be one of start, stop/,
  ],
  [
    "a quoted word",
    { call: "POST /messages/5/typing", form: { op: '"start"' }, status: 400, answer: errorAnswer() },
    "must request.value op",
    /JSON text/,
  ],
  [
    "a wrong number",
    { call: "PATCH /users/a@b.example", form: { role: "500" }, status: 400, answer: errorAnswer() },
    "must request.value role",
    /role/,
  ],
  [
    "JSON where text belongs",
    { call: "PATCH /messages/5", form: { topic: '"lunch"' }, answer: edited },
    "should request.plain-text topic",
    /send the text as it is/,
  ],
  [
    "an undefined value in the path",
    { call: "PATCH /messages/undefined", form: { topic: "x" }, status: 400, answer: errorAnswer() },
    "must request.type message_id",
    /must be omitted/,
  ],
  [
    "a wrong word or number",
    { call: `GET /messages?anchor=latest&${range}`, status: 400, answer: errorAnswer() },
    "must request.value anchor",
    /of type integer or one of newest, oldest, first_unread/,
  ],
  [
    "one value where a list belongs",
    { call: "POST /user_groups/5/subgroups", form: { add: "7" }, status: 400, answer: errorAnswer() },
    "must request.type add",
    /must be array/,
  ],
];
