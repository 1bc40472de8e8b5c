import { existsSync } from 'node:fs';

/** SQLite's primary result codes for a file that may only be read, and for one that may not even be opened. */
const READ_ONLY = 8;
const CANNOT_OPEN = 14;

/** Why a store cannot be opened, in words; what is not foreseen is told in the system's own. */
export function whyClosed(cause: unknown, dataDir: string, file: string): string {
  const { code, errcode, syscall, message = String(cause) } = failureOf(cause);
  const notOurs = `'${file}' belongs to another user or may not be written`;
  if (syscall === 'chmod') return notOurs;
  switch (code) {
    case 'EEXIST':
    case 'ENOTDIR':
      return 'a file is in its place';
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
    case 'ENOENT':
      return 'no folder can be made there';
  }
  if (errcode === READ_ONLY || errcode === CANNOT_OPEN) {
    return existsSync(file) ? notOurs : `no file can be made in '${dataDir}'`;
  }
  return message;
}

interface Failure {
  readonly code?: unknown;
  readonly errcode?: number;
  readonly syscall?: unknown;
  readonly message?: string;
}

/** What the system or SQLite tells; errors of Node itself may come from outside our realm. */
function failureOf(cause: unknown): Failure {
  if (cause === null || typeof cause !== 'object') return {};
  const [code, errcode, syscall, message] = ['code', 'errcode', 'syscall', 'message'].map((name): unknown =>
    Reflect.get(cause, name),
  );
  return {
    code,
    syscall,
    // The extended result codes of SQLite carry the primary one in their lowest byte.
    ...(typeof errcode === 'number' ? { errcode: errcode & 0xff } : {}),
    ...(typeof message === 'string' ? { message } : {}),
  };
}
