import type { HttpAnswer } from './send-once.ts';

/** Whether the server did what it was asked. */
export function isSuccess({ status }: Pick<HttpAnswer, 'status'>): boolean {
  return status >= 200 && status < 300;
}

/** In lower case and without parameters; null where the answer does not say. */
export function mediaTypeOf({ headers }: Pick<HttpAnswer, 'headers'>): string | null {
  return headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase() ?? null;
}
