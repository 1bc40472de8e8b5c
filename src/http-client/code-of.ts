/** The code of an error, such as ECONNRESET. */
export function codeOf(error: unknown): string {
  const coded = typeof error === 'object' && error !== null && 'code' in error ? error.code : null;
  return typeof coded === 'string' ? coded : 'no reason known';
}
