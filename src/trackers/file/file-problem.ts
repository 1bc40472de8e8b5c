import { BrokenJson } from './json-elements.ts';

/** What is wrong with the file in one sentence; null when the failure is not the file's. */
export function fileProblem(error: unknown): string | null {
  if (error instanceof BrokenJson) return error.message;
  if (!isSystemError(error)) return null;
  switch (error.code) {
    case 'ENOENT':
      return 'there is no such file';
    case 'EACCES':
      return 'the file may not be read';
    case 'EISDIR':
      return 'this is a folder, not a file';
    default:
      return error.code.startsWith('Z_')
        ? `the file is damaged gzip: ${error.message}`
        : `the file cannot be read: ${error.message}`;
  }
}

/** What the operating system or zlib reports; anything else is a bug. */
function isSystemError(error: unknown): error is { readonly code: string; readonly message: string } {
  return (
    error !== null &&
    typeof error === 'object' &&
    'errno' in error &&
    'code' in error &&
    typeof error.code === 'string'
  );
}
