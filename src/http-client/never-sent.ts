/**
 * Whether an error came before there was a connection, so that nothing was sent over it. The code alone does not tell:
 * a route may be lost (EHOSTUNREACH) while an answer is being waited for.
 */
export function isNeverSent(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  // A name with several addresses: none of them could be reached.
  if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(isNeverSent);
  if ('code' in error && error.code === 'UND_ERR_CONNECT_TIMEOUT') return true;
  return 'syscall' in error && (error.syscall === 'connect' || error.syscall === 'getaddrinfo');
}
