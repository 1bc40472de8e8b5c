import { millisecondsInHour, millisecondsInMinute } from 'date-fns/constants';
import fc from 'fast-check';
import { describe, expect, test } from '#jest';
import { windowJql } from '../../../src/trackers/jira/jira-search.ts';

/** The minute from which on a window asks for issues. */
function jqlMinute(from: number, timeZone: string | null): string {
  return /"(.*)"/.exec(windowJql({ by: 'updated', from }, null, timeZone))?.[1] ?? '';
}

/** Every instant, minute by minute, at which a wall clock of the zone shows this text. */
function readingsOf(text: string, timeZone: string, around: number): number[] {
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'short',
  });
  const first = Math.floor(around / millisecondsInMinute) * millisecondsInMinute - 3 * millisecondsInHour;
  const minutes = Array.from({ length: 6 * 60 }, (_, i) => first + i * millisecondsInMinute);
  return minutes.filter((instant) => format.format(instant) === text);
}

describe('the minute from which on Jira is asked', () => {
  test.each([
    ['on the clock of the zone', '2026-03-02T09:15:59.999Z', 'Europe/Berlin', '2026-03-02 10:15'],
    ['a whole minute itself', '2026-03-02T09:15:00.000Z', 'Asia/Kolkata', '2026-03-02 14:45'],
    [
      'before an hour that comes twice, while it comes first',
      '2026-10-25T00:30:00Z',
      'Europe/Berlin',
      '2026-10-25 01:59',
    ],
    ['within it once it comes again', '2026-10-25T01:30:00Z', 'Europe/Berlin', '2026-10-25 02:30'],
    ['behind an hour that is skipped', '2026-03-29T01:00:00Z', 'Europe/Berlin', '2026-03-29 03:00'],
    [
      'before half an hour that comes twice',
      '2026-04-04T14:45:00Z',
      'Australia/Lord_Howe',
      '2026-04-05 01:29',
    ],
    ['a day before in a zone that nobody knows', '2026-03-02T09:15:30Z', null, '2026-03-01 09:15'],
  ])('is %s', (_, instant, zone, text) => expect(jqlMinute(Date.parse(instant), zone)).toBe(text));

  test('is never read as a later instant, and at most two hours and a minute before', () => {
    const zone = fc.constantFrom(...Intl.supportedValuesOf('timeZone'), 'UTC');
    const instant = fc.integer({ min: Date.parse('2000-01-01'), max: Date.parse('2037-12-31') });
    const nearChange = fc
      .record({ year: fc.integer({ min: 2001, max: 2037 }), minute: fc.integer({ min: -300, max: 300 }) })
      .map(({ year, minute }) => lastSundayOfOctober(year) + minute * millisecondsInMinute);
    fc.assert(
      fc.property(zone, fc.oneof(instant, nearChange), (timeZone, at) => {
        const readings = readingsOf(jqlMinute(at, timeZone), timeZone, at);
        expect(readings.length).toBeGreaterThan(0);
        expect(Math.max(...readings)).toBeLessThanOrEqual(at);
        expect(Math.min(...readings)).toBeGreaterThan(at - 2 * millisecondsInHour - millisecondsInMinute);
      }),
      { examples: [['Europe/Berlin', Date.parse('2026-10-25T00:59:59.999Z')]] },
    );
  });
});

describe('windowJql', () => {
  const from = Date.parse('2026-03-02T09:15:59Z');

  test('restricts every search, for Cloud refuses one that does not', () => {
    expect(windowJql({ by: 'created', from: null }, null, null)).toBe(
      'created >= "1970-01-01 00:00" ORDER BY created ASC, key ASC',
    );
    expect(windowJql({ by: 'updated', from }, null, 'UTC')).toBe(
      'updated >= "2026-03-02 09:15" ORDER BY updated ASC, key ASC',
    );
  });

  test('keeps the wish together', () => {
    const wish = 'project = DEMO OR labels = web';
    expect(windowJql({ by: 'created', from: null }, wish, null)).toBe(
      '(project = DEMO OR labels = web) ORDER BY created ASC, key ASC',
    );
    expect(windowJql({ by: 'updated', from }, wish, 'UTC')).toBe(
      '(project = DEMO OR labels = web) AND updated >= "2026-03-02 09:15" ORDER BY updated ASC, key ASC',
    );
  });
});

/** When clocks in Europe go back. */
function lastSundayOfOctober(year: number): number {
  const lastDay = Date.UTC(year, 9, 31, 1);
  return lastDay - new Date(lastDay).getUTCDay() * 24 * millisecondsInHour;
}
