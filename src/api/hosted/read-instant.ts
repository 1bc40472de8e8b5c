import type { Instant } from '../../model/issue.ts';
import { dayInstant } from '../../output/day-instant.ts';

/** An instant as a text tells it, to the second, and how far its clock is ahead of UTC (ms). */
export interface ToldInstant {
  readonly instant: Instant;
  readonly offset: number;
}

const shape =
  /^(\d{4}-\d\d-\d\d)[T ]([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:\.\d+)?)? ?(?:Z|([+-])(\d\d):?(\d\d))$/;

/** Reads `2024-12-18T18:00Z` and `2021-08-27 05:45:36 +0000`, with or without seconds; null for any other text. */
export function readInstant(text: string): ToldInstant | null {
  const [, date = '', hours, minutes, seconds = 0, sign, ahead = 0, beyond = 0] = shape.exec(text) ?? [];
  const day = dayInstant(date);
  if (day === null) return null;
  const size = (Number(ahead) * 60 + Number(beyond)) * 60_000;
  const offset = sign === '-' ? -size : size;
  const clock = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
  return { instant: day + clock - offset, offset };
}
