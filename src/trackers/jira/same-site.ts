/** Whether two addresses of sites lead to the same one, however they are spelled. */
export function isSameSite(one: string, other: string): boolean {
  return spelled(one) === spelled(other);
}

function spelled(address: string): string {
  const { origin, pathname } = new URL(address);
  return origin + pathname.replace(/\/+$/, '');
}
