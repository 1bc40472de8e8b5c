import { memo } from '../cache/memo.ts';
import type { RouteParts } from './route.ts';

/** A text about what never changes while Dwell runs: made for the first request, and sent to every other one. */
export function madeOnce(make: (parts: RouteParts) => string): (parts: RouteParts) => string {
  const made = memo((_reporting: RouteParts['reporting'], parts: RouteParts) => make(parts));
  return (parts) => made(parts.reporting, parts);
}
