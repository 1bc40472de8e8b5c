import type { ReportingApi } from '../api/reporting.ts';
import type { RouteParts } from './route.ts';

/** A text about what never changes while Dwell runs: made for the first request, and sent to every other one. */
export function madeOnce(make: (parts: RouteParts) => string): (parts: RouteParts) => string {
  const made = new WeakMap<ReportingApi, string>();
  return (parts) => {
    const text = made.get(parts.reporting) ?? make(parts);
    made.set(parts.reporting, text);
    return text;
  };
}
