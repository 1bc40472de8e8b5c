/**
 * Whether two addresses are the same one: without regard to the case of the letters A to Z, and to nothing else. Other
 * letters may fold to those and still be of somebody else's address, such as the Kelvin sign.
 */
export function isSameEmail(one: string, other: string): boolean {
  return foldedEmail(one) === foldedEmail(other);
}

/** What is the same text for the same address. */
export function foldedEmail(email: string): string {
  return email.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
