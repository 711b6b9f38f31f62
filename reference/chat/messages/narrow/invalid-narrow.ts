import { badRequest } from "../../bad-request.js";

/** The refusal of a narrow that cannot be searched. */
export function invalidNarrow(reason: string): ReturnType<typeof badRequest> {
  return badRequest(`Invalid narrow: ${reason}`);
}
