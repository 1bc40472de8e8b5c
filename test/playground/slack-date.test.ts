import { describe, expect, test } from '#jest';
// @ts-expect-error The page is plain JavaScript.
import { clockTime, dayName, readIn, slackDate } from '../../playground/page/slack-date.js';

/** A Friday, 22:30 in UTC. */
const at = Date.parse('2026-11-20T22:30:00Z') / 1000;
const now = Date.parse('2026-11-21T10:00:00Z');

describe.each([
  ['Europe/Berlin', 'yesterday at 11:30 PM', 'Yesterday', '2026-11-20'],
  ['America/New_York', 'yesterday at 5:30 PM', 'Yesterday', '2026-11-20'],
  ['Asia/Tokyo', 'today at 7:30 AM', 'Today', '2026-11-21'],
])('a reader in %s', (zone, pretty, day, number) => {
  test('reads dates and days on their own clock', () => {
    readIn(zone);
    expect(slackDate(at, '{date_short_pretty} at {time}', now)).toBe(pretty);
    expect(slackDate(at, '{date_num}', now)).toBe(number);
    expect(dayName(at, now)).toBe(day);
    expect(pretty).toContain(clockTime(at));
  });

  test('reads days that are further away by their name', () => {
    readIn(zone);
    const later = Date.parse('2026-12-24T12:00:00Z');
    expect(slackDate(at, '{date_long}', later)).toMatch(
      /^(?:Friday, November 20th|Saturday, November 21st), 2026$/,
    );
  });
});
