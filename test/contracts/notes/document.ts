const json = (schema: object) => ({ description: "", content: { "application/json": { schema } } });
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const one = (...names: string[]) =>
  names.map((name) => ({ name, in: "path", required: true, schema: { type: "integer" } }));
const body = (schema: object, type = "application/json") => ({ required: true, content: { [type]: { schema } } });
const refused = { "4XX": json({}) };

/** How a server may differ and still keep the document. */
export interface NotesDocument {
  readonly isEnveloped?: boolean;
  readonly idType?: "integer" | "string";
}

/** The document of a small service, in which nobody wrote an example or a rule. */
export function notesDocument({ isEnveloped = false, idType = "integer" }: NotesDocument = {}): object {
  const wrap = (schema: object) =>
    isEnveloped ? { type: "object", required: ["data"], properties: { data: schema } } : schema;
  const note = json(wrap(ref("Note")));
  const tag = { schema: { type: "string" } };
  const ifMatch = { name: "If-Match", in: "header", schema: { type: "string" } };
  const fields = {
    title: { type: "string", maxLength: 100 },
    anything: {},
    email: { type: "string", format: "email" },
    colour: { type: "string", enum: ["red", "green"] },
    stars: { type: "integer" },
  };
  return {
    openapi: "3.1.0",
    info: { title: "Notes", version: "1" },
    security: [{ token: [] }],
    paths: {
      "/notes": {
        get: {
          operationId: "listNotes",
          parameters: [
            { name: "colour", in: "query", schema: fields.colour },
            { name: "limit", in: "query", schema: { type: "integer" } },
          ],
          responses: { 200: json(wrap({ type: "array", items: ref("Note") })), ...refused },
        },
        post: {
          operationId: "createNote",
          requestBody: body(ref("NewNote")),
          responses: {
            201: { ...note, headers: { Location: { schema: { type: "string" } } } },
            202: json({}),
            ...refused,
          },
        },
      },
      "/notes/{noteId}": {
        parameters: one("noteId"),
        get: { operationId: "getNote", responses: { 200: { ...note, headers: { ETag: tag } }, ...refused } },
        put: { operationId: "putNote", requestBody: body(ref("NewNote")), responses: { 200: note, ...refused } },
        patch: {
          operationId: "patchNote",
          parameters: [ifMatch],
          requestBody: body({ type: "object", properties: fields }, "application/merge-patch+json"),
          responses: { 200: note, ...refused },
        },
        delete: { operationId: "deleteNote", responses: { 204: { description: "" }, 202: json({}), ...refused } },
      },
      "/notes/{noteId}/comments": {
        parameters: one("noteId"),
        post: {
          operationId: "addComment",
          requestBody: body(ref("NewComment")),
          responses: { 201: json(ref("Comment")), ...refused },
        },
      },
      "/notes/{noteId}/comments/{commentId}": {
        parameters: one("noteId", "commentId"),
        get: { operationId: "getComment", responses: { 200: json(ref("Comment")), ...refused } },
        delete: { operationId: "deleteComment", responses: { 204: { description: "" }, ...refused } },
      },
    },
    components: {
      securitySchemes: { token: { type: "http", scheme: "bearer" } },
      schemas: {
        NewNote: { type: "object", required: ["title", "email"], properties: fields },
        Note: {
          type: "object",
          required: ["id", "title", "email", "colour"],
          properties: { id: { type: idType }, ...fields, stars: { type: ["integer", "null"] } },
        },
        NewComment: { type: "object", required: ["text"], properties: { text: { type: "string" } } },
        Comment: {
          type: "object",
          required: ["id", "text"],
          properties: { id: { type: "integer" }, text: { type: "string" } },
        },
      },
    },
  };
}
