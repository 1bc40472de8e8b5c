import type { HttpAnswer } from './send-once.ts';

/** Where a redirect leads; of the address only the origin, because the rest may hold a session. */
export function redirectOrigin({ headers }: Pick<HttpAnswer, 'headers'>, base: string): string {
  const location = headers.get('location');
  return location !== undefined && URL.canParse(location, base) ? new URL(location, base).origin : 'nowhere';
}
