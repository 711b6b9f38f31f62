import { describe, expect, it } from "vitest";
import { expand } from "./sample-workflow.js";

const upload = `resume:
  summary: Bytes are sent with a session
  as: nobody
  known-levels-only: true
  rules: [uploads.tus.session-cookie]
  given: [session]
  steps:
    - id: create
      call: createResumableUpload
      precondition: true
      headers: $session.headers
      with: {Upload-Length: 256}
      expect: {status: 201}
      outputs: {location: {at: header Location, optional: true}}
    - id: part
      request: {method: PATCH, url: $create.location, body: every-byte}
      headers: $session.headers
      expect: {status: {not: 403}}
`;

describe("expandWorkflows", () => {
  it("keeps requests to URLs, headers of a state and preconditions", () => {
    const { workflows, problems } = expand(upload);
    expect(problems).toEqual([]);
    expect(workflows).toMatchObject([
      {
        knownLevelsOnly: true,
        steps: [
          { kind: "state", values: ["headers"] },
          { precondition: true, headers: "$session.headers", outputs: { location: { at: "header Location" } } },
          { request: { url: "$create.location", body: "every-byte" }, expect: [{ status: { not: 403 } }] },
        ],
      },
    ]);
  });

  it.each([
    ["headers: $session.headers", "headers: Cookie", "resume.steps.0.headers"],
    ["headers: $session.headers", "headers: $session.header", "state `session` returns no `header`"],
    ["url: $create.location", "url: $create.url", "step `create` has no output `url`"],
    ["body: every-byte", "body: each-byte", "resume.steps.1.request.body"],
    ["known-levels-only: true", "known-levels-only: false", "resume.known-levels-only"],
  ])("rejects a change of %j to %j", (from, to, problem) => {
    expect(expand(upload.replace(from, to)).problems.join("\n")).toContain(problem);
  });
});
