/** After this many consecutive checks without a response, a run treats the server as down. */
export const maxUnanswered = 10;

/** Why the remaining checks were not sent. The failures before them say why the server is down. */
export const serverDownReason = `not sent, since ${maxUnanswered} checks in a row got no answer`;
