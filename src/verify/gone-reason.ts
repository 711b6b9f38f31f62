/** After so many checks in a row without an answer a server is taken to be gone. */
export const mostUnanswered = 10;

/** Why a check was not sent to a server that is gone. Why it is gone is the reason of the checks before. */
export const goneReason = `not sent, since ${mostUnanswered} checks in a row got no answer`;
