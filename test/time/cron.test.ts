import { describe, expect, test } from '#jest';
import { fireTimes, scheduleProblem } from '../../src/time/cron.ts';
import { underZones } from '../support/under-zones.ts';

/** The next instants, as UTC to the minute. */
function times(cron: string, timeZone: string, after: string, count: number): string[] {
  const found = fireTimes({ cron, timeZone }, Date.parse(after), count);
  return found.map((at) => new Date(at).toISOString().slice(0, 16));
}

underZones(() => {
  describe('a schedule', () => {
    test('fires on the clocks of its zone, in summer and in winter', () => {
      expect(times('0 9 * * 1-5', 'Europe/Berlin', '2026-03-26T12:00:00Z', 3)).toEqual([
        '2026-03-27T08:00',
        '2026-03-30T07:00',
        '2026-03-31T07:00',
      ]);
    });

    test('fires strictly after an instant, to the millisecond', () => {
      expect(times('0 9 * * *', 'UTC', '2026-03-02T08:59:59.999Z', 1)).toEqual(['2026-03-02T09:00']);
      expect(times('0 9 * * *', 'UTC', '2026-03-02T09:00:00.000Z', 1)).toEqual(['2026-03-03T09:00']);
      expect(times('0 9 * * *', 'UTC', '2026-03-02T09:00:00.001Z', 1)).toEqual(['2026-03-03T09:00']);
    });

    test('fires on a day of the month or of the week when both are named', () => {
      expect(times('0 9 13 * FRI', 'UTC', '2026-05-07T12:00:00Z', 3)).toEqual([
        '2026-05-08T09:00',
        '2026-05-13T09:00',
        '2026-05-15T09:00',
      ]);
    });

    test('fires on the last day of each month, and on the 29th of February in leap years', () => {
      expect(times('0 9 L * *', 'UTC', '2026-01-31T12:00:00Z', 2)).toEqual([
        '2026-02-28T09:00',
        '2026-03-31T09:00',
      ]);
      expect(times('0 9 29 2 *', 'UTC', '2096-01-01T00:00:00Z', 2)).toEqual([
        '2096-02-29T09:00',
        '2104-02-29T09:00',
      ]);
    });

    test('is asked for nothing and tells nothing', () => {
      expect(times('* * * * *', 'UTC', '2026-03-02T09:00:00Z', 0)).toEqual([]);
    });
  });

  describe('a time of day', () => {
    test('that the clocks skip comes at the first instant after the gap', () => {
      expect(times('30 2 * * *', 'Europe/Berlin', '2026-03-28T12:00:00Z', 2)).toEqual([
        '2026-03-29T01:00',
        '2026-03-30T00:30',
      ]);
    });

    test('comes once, however many of a schedule are skipped', () => {
      expect(times('*/15 2,3 * * *', 'Europe/Berlin', '2026-03-29T00:00:00Z', 3)).toEqual([
        '2026-03-29T01:00',
        '2026-03-29T01:15',
        '2026-03-29T01:30',
      ]);
    });

    test('that the clocks show twice comes at the first of the two, asked before, between and after', () => {
      const next = (after: string) => times('30 2 * * *', 'Europe/Berlin', after, 1);
      expect(next('2026-10-24T12:00:00Z')).toEqual(['2026-10-25T00:30']);
      expect(next('2026-10-25T00:30:00Z')).toEqual(['2026-10-26T01:30']);
      expect(next('2026-10-25T01:10:00Z')).toEqual(['2026-10-26T01:30']);
    });

    test('of a day that a place left out comes when the next day begins', () => {
      expect(times('0 9 30 12 *', 'Pacific/Apia', '2011-12-01T00:00:00Z', 1)).toEqual(['2011-12-30T10:00']);
    });
  });

  describe('a rhythm', () => {
    test('goes on through the hour that comes twice', () => {
      expect(times('*/30 * * * *', 'Europe/Berlin', '2026-10-24T23:45:00Z', 5)).toEqual([
        '2026-10-25T00:00',
        '2026-10-25T00:30',
        '2026-10-25T01:00',
        '2026-10-25T01:30',
        '2026-10-25T02:00',
      ]);
    });

    test('neither makes up for an hour that is skipped nor pauses for it', () => {
      expect(times('*/30 * * * *', 'Europe/Berlin', '2026-03-29T00:15:00Z', 3)).toEqual([
        '2026-03-29T00:30',
        '2026-03-29T01:00',
        '2026-03-29T01:30',
      ]);
      expect(times('0 * * * *', 'Australia/Lord_Howe', '2026-10-03T14:30:00Z', 2)).toEqual([
        '2026-10-03T16:00',
        '2026-10-03T17:00',
      ]);
    });
  });

  describe('what is no schedule', () => {
    const why = (cron: string, timeZone = 'UTC') => scheduleProblem({ cron, timeZone });

    test.each([
      '* * * * *',
      '0 9 * * 1-5',
      ' 0  9 * * MON-fri ',
      '*/15 9-17 1,15 JAN,7 *',
      '0 0 29 2 *',
      '0 9 L * *',
    ])('is not: %s', (cron) => {
      expect(why(cron)).toBeNull();
      expect(fireTimes({ cron, timeZone: 'UTC' }, 0, 2)).toHaveLength(2);
    });

    test.each([
      ['61 9 * * *', "the minute '61' of cron '61 9 * * *' cannot be read. Try: 0 to 59,"],
      ['0 24 * * *', "the hour '24' of cron '0 24 * * *' cannot be read. Try: 0 to 23,"],
      ['0 9 0 * *', "the day of the month '0' of"],
      ['0 9 * 13 *', "the month '13' of"],
      ['0 9 * * monday', "the day of the week 'monday' of"],
      ['0 9 * * 5-1', "the day of the week '5-1' of"],
      ['0 <!channel> * * *', "the hour '<!channel>' of"],
    ])('is told by its field: %s', (cron, sentence) => {
      expect(why(cron)).toContain(sentence);
    });

    test.each(['', '0 9 * *', '0 0 9 * * *', '@daily', 'every monday'])('has not five fields: %j', (cron) => {
      expect(why(cron)).toContain(`cron '${cron}' does not have five fields. Try: minute, hour,`);
    });

    test.each(['0 9 30 2 *', '0 9 31 2,4,6,9,11 *'])('never fires: %s', (cron) => {
      expect(why(cron)).toBe(`cron '${cron}' never fires: no month has that day. Try: an existing day.`);
    });

    test('is too long to be meant', () => {
      expect(why(`${'0,'.repeat(200)}0 9 * * *`)).toBe('cron has 409 characters. Try: 200.');
    });

    test('has a zone that nobody knows', () => {
      expect(why('0 9 * * *', 'Mars/Olympus')).toBe(
        "timeZone 'Mars/Olympus' is not an IANA time zone. Try: names such as Europe/Berlin.",
      );
    });
  });
});
