/** The code that the system or a library gives an error, such as `ENOENT`; null where it has none. */
export function systemCode(error: unknown): string | null {
  if (error === null || typeof error !== 'object' || !('code' in error)) return null;
  return typeof error.code === 'string' ? error.code : null;
}

/** True if the system says that a disk, or the part of it that this user may fill, is full. */
export function isDiskFull(error: unknown): boolean {
  const code = systemCode(error);
  return code === 'ENOSPC' || code === 'EDQUOT';
}
