import { describe, expect, it } from "vitest";
import { stateNames } from "../../../generated/chat/states.js";
import { loadStatesCatalogue } from "../../../src/chat/contract.js";
import { stateHelp } from "../../../src/verify/states/catalogue.js";

describe("stateHelp", () => {
  it("returns a template with the callers and the values of the state", async () => {
    const help = await stateHelp(await loadStatesCatalogue(), { state: "channel", params: { name: "social" } });
    expect(help).toContain("Provider state channel: A channel exists.");
    expect(help).toContain(
      'To POST /states with {"state":"channel","params":{"name":"social"},"action":"setup"} answer status 200',
    );
    expect(help).toContain('"member": { "user_id": <integer>, "email": "<string>", "api_key": "<string>" },');
    expect(help).toContain('"stream_id": <integer>,\n  "stream": "<string: The name of the channel.>"\n}');
    expect(help).toContain("Optional values: stream.");
  });

  it("repeats nothing of the first state if it is brief", async () => {
    const catalogue = await loadStatesCatalogue();
    const help = stateHelp(catalogue, { state: "channel", params: {} }, [], { isBrief: true });
    expect(help).toContain('"credentials": "<as organization returns them>",\n  "stream_id": <integer>');
    expect(help).not.toMatch(/api_key|params\.organization/);
    expect(stateHelp(catalogue, { state: "sole-user", params: {} }, [], { isBrief: true })).toContain('"api_key"');
  });

  it("names the fields by which callers log in, if the catalogue does not", () => {
    const catalogue = { "x-callers": { visitor: "Anyone." }, "x-states": { museum: { description: "A museum." } } };
    const help = stateHelp(catalogue, { state: "museum", params: {} }, ["access_token"]);
    expect(help).toContain('"visitor": { "access_token": "<string>" }');
  });

  it("joins the lines of a paragraph of the description, and ends without an empty line", () => {
    const description = "A museum\nwith one artwork.\n\n- by Monet\n- on loan\n";
    const help = stateHelp({ "x-states": { museum: { description } } }, { state: "museum", params: {} });
    expect(help).toContain(
      "Provider state museum: A museum with one artwork.\n\n- by Monet\n- on loan\nTo POST /states",
    );
  });

  it("names only the callers that exist in the state", async () => {
    const help = await stateHelp(await loadStatesCatalogue(), { state: "sole-user", params: {} });
    expect(help.match(/"api_key"/g)).toHaveLength(1);
    expect(help).not.toContain("Optional values");
  });

  it.each(stateNames)("returns a template for %s that becomes valid JSON when filled in", async (state) => {
    const [, template = ""] =
      /and:\n(\{.*?\n\})/s.exec(await stateHelp(await loadStatesCatalogue(), { state, params: {} })) ?? [];
    const filled = template.replace(/<(integer|number)[^>]*>(?!")/g, "1").replace(/<boolean[^>]*>(?!")/g, "true");
    expect(JSON.parse(filled)).toMatchObject({
      organization: expect.any(String),
      credentials: { member: { user_id: 1 } },
    });
  });

  it.each(["moon", "toString"])("reports the unknown state %s", async (state) => {
    expect(await stateHelp(await loadStatesCatalogue(), { state, params: {} })).toMatch(
      `The contract has no provider state ${state};`,
    );
  });
});
