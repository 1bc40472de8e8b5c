import fc from 'fast-check';
import { expect, test } from '#jest';
import { localEnd, localTime } from '../../../src/api/parameters/dates.ts';
import { runs } from '../../support/soak.ts';
import { underZones } from '../../support/under-zones.ts';

const read = (text: string, zone: string) => new Date(localTime('day', text, zone)).toISOString();

underZones(() => {
  test.each([
    ['2026-03-18', 'UTC', '2026-03-18T00:00:00.000Z'],
    ['2026-03-18 09:30', 'Europe/Berlin', '2026-03-18T08:30:00.000Z'],
    ['2026-07-18T09:30', 'Asia/Kathmandu', '2026-07-18T03:45:00.000Z'],
    ['0001-01-01', 'UTC', '0001-01-01T00:00:00.000Z'],
  ])('%s in %s', (text, zone, instant) => {
    expect(read(text, zone)).toBe(instant);
  });

  test('a time the clocks skip is moved forward by the gap', () => {
    expect(read('2026-03-29 02:30', 'Europe/Berlin')).toBe('2026-03-29T01:30:00.000Z');
    expect(read('2026-10-04 02:15', 'Australia/Lord_Howe')).toBe('2026-10-03T15:45:00.000Z');
  });

  test('of a time that comes twice the first is meant', () => {
    expect(read('2026-10-25 02:30', 'Europe/Berlin')).toBe('2026-10-25T00:30:00.000Z');
    expect(read('2026-04-05 01:45', 'Australia/Lord_Howe')).toBe('2026-04-04T14:45:00.000Z');
  });

  test('a date alone ends with its day, also where the clocks change; one with a time ends there', () => {
    const end = (text: string, zone: string) => new Date(localEnd('day', text, zone)).toISOString();
    expect(end('2026-03-29', 'Europe/Berlin')).toBe('2026-03-29T22:00:00.000Z');
    expect(end('2026-12-31', 'Asia/Tokyo')).toBe('2026-12-31T15:00:00.000Z');
    expect(end('2026-03-29 10:00', 'Europe/Berlin')).toBe('2026-03-29T08:00:00.000Z');
  });

  test.each([
    '2026-02-30',
    '2026-00-10',
    '2026-13-01',
    '2026-01-00',
    '2026-01-01 24:00',
    '2026-01-01 10:60',
    '18.3.2026',
    '',
  ])('%j is no date', (text) => {
    expect(() => localTime('day', text, 'UTC')).toThrow('Bad request');
  });

  test('every wall-clock minute of a year reads back as itself, or lies in a gap', () => {
    const zones = [
      'Europe/Berlin',
      'America/St_Johns',
      'Pacific/Auckland',
      'America/Santiago',
      'Africa/Casablanca',
    ];
    fc.assert(
      fc.property(fc.constantFrom(...zones), fc.integer({ min: 0, max: 525_599 }), (timeZone, minute) => {
        const text = new Date(Date.UTC(2026, 0, 1) + minute * 60_000)
          .toISOString()
          .slice(0, 16)
          .replace('T', ' ');
        const instant = localTime('day', text, timeZone);
        const wall = new Intl.DateTimeFormat('sv-SE', {
          timeZone,
          dateStyle: 'short',
          timeStyle: 'short',
        }).format(instant);
        expect(wall >= text).toBe(true);
        if (wall === text) {
          const hourBefore = new Intl.DateTimeFormat('sv-SE', {
            timeZone,
            dateStyle: 'short',
            timeStyle: 'short',
          });
          expect(hourBefore.format(instant - 3_600_000)).not.toBe(text);
        }
      }),
      { numRuns: runs(300) },
    );
  });
});
