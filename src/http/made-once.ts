import { memo } from '../cache/namespace.ts';
import { detached } from '../concurrency/cooperative-yield.ts';
import type { RouteParts } from './route.ts';

/** A text about what never changes while Dwell runs: made for the first request, and sent to every other one. */
export function madeOnce<Text extends string | Promise<string>>(
  make: (parts: RouteParts) => Text,
): (parts: RouteParts) => Text {
  // Whoever asks first may leave before it is made.
  const made = memo((_reporting: RouteParts['reporting'], parts: RouteParts) => detached(() => make(parts)));
  return (parts) => made(parts.reporting, parts);
}
