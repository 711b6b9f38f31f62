/** The URL of a picture that is a plain square. The colour is percent-encoded. */
export function squareUrl(colour: string): string {
  return `data:image/svg+xml,%3Csvg%20xmlns='http://www.w3.org/2000/svg'%20viewBox='0%200%201%201'%3E%3Crect%20width='1'%20height='1'%20fill='${colour}'/%3E%3C/svg%3E`;
}

/** The avatar of a user without a Gravatar. The golden angle keeps the colours of neighbouring ids apart. */
export function avatarUrl(userId: number): string {
  return squareUrl(`hsl(${(userId * 137.5) % 360},55%25,45%25)`);
}
