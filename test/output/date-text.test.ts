import { expect, test } from '#jest';
import { defaultDateFormats } from '../../src/model/settings.ts';
import { dateText, isoText } from '../../src/time/date-text.ts';
import { underZones } from '../support/under-zones.ts';

const instant = Date.parse('2026-03-18T23:05:06.007Z');

underZones(() => {
  test('the default patterns show dates as the tracker does', () => {
    const { dateFormat, dateTimeFormat } = defaultDateFormats;
    expect(dateText(instant, dateFormat, 'UTC')).toBe('18/Mar/26');
    expect(dateText(instant, dateTimeFormat, 'UTC')).toBe('18/Mar/26 11:05 PM');
  });

  test('a date is that of the zone', () => {
    expect(dateText(instant, "EEEE, d MMMM yyyy 'at' HH:mm", 'Pacific/Auckland')).toBe(
      'Thursday, 19 March 2026 at 12:05',
    );
  });

  test('an ISO instant is in UTC with milliseconds', () => {
    expect(isoText(instant)).toBe('2026-03-18T23:05:06.007Z');
  });

  test('more patterns and zones than are remembered are written all the same', () => {
    const patterns = Array.from({ length: 250 }, (_, i) => `d 'number ${i}'`);
    const zones = Intl.supportedValuesOf('timeZone').slice(0, 250);
    for (const round of [1, 2]) {
      const texts = patterns.map((pattern, i) => dateText(0, `${pattern} '${round}'`, zones[i] ?? 'UTC'));
      const days = texts.map((text) => text.replace(/ .*/, ''));
      expect(texts.map((text) => text.replace(/^\S+ /, ''))).toEqual(
        patterns.map((_, i) => `number ${i} ${round}`),
      );
      expect(new Set(days)).toEqual(new Set(['1', '31']));
    }
  });
});
