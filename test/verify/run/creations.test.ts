import { expect, it } from "vitest";
import { createCreations } from "../../../src/verify/run/creations.js";

it("neither removes again what a removal without a response may have removed, nor says that it is surely left", () => {
  const creations = createCreations();
  for (const id of [1, 2]) {
    const made = { status: 201, headers: new Headers(), body: { id } };
    creations.note({ method: "POST", url: "http://127.0.0.1/pets" }, made);
  }
  creations.noteLost({ method: "DELETE", url: "http://127.0.0.1/pets/1" });
  creations.noteLost({ method: "PUT", url: "http://127.0.0.1/pets/2" });

  expect(creations.removable({ isSure: true }).map(({ thing }) => thing)).toEqual(["/pets/2"]);
  expect(creations.list().map(({ thing }) => thing)).toEqual([
    "/pets/1 (perhaps: its removal got no response)",
    "/pets/2",
  ]);
});
