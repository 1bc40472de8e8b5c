import { describe, expect, test } from '#jest';
import type { BetweenMetric } from '../../../src/model/request.ts';
import { type CaseParts, doingOfWeb2, HALF_MINUTE, hours } from './case-parts.ts';
import { valuesOf } from './tables.ts';

/** Clocks between statuses. */
export function betweenCases({ report, whereTold }: CaseParts): void {
  describe('time between statuses', () => {
    const work: BetweenMetric = {
      name: 'Work',
      from: { statuses: ['3'], visit: 'first' },
      to: { statuses: ['5'], visit: 'last' },
      pausedIn: ['4'],
    };
    const whole: BetweenMetric = {
      name: 'All of it',
      from: { statuses: [], visit: 'first' },
      to: { statuses: ['5'], visit: 'first' },
      pausedIn: [],
    };
    const again: BetweenMetric = {
      ...work,
      name: 'Again',
      from: { statuses: ['3'], visit: 'last' },
      pausedIn: [],
    };
    const reportType = 'durationBetweenStatuses';

    test('stands still in some, runs on until it stops, and has no value before it starts', async () => {
      expect(valuesOf(await report({ reportType, metrics: [work, whole, again] }))).toEqual({
        'WEB-1': { Work: hours(40), 'All of it': hours(48), Again: hours(16) },
        'WEB-2': { Work: doingOfWeb2, 'All of it': hours(360) - HALF_MINUTE, Again: doingOfWeb2 },
        'WEB-3': { Work: 0, 'All of it': hours(25), Again: hours(24) },
        'OPS-1': { Work: hours(244), 'All of it': hours(268), Again: hours(244) },
        'OPS-2': { 'All of it': hours(100) },
      });
    });

    whereTold('the state of a metric')('tells how far the clock is', async () => {
      const { rows } = await report({ reportType, metrics: [work] });
      expect(Object.fromEntries(rows.map(({ issueKey, states }) => [issueKey, states?.Work]))).toEqual({
        'WEB-1': 'completed',
        'WEB-2': 'running',
        'WEB-3': 'completed',
        'OPS-1': 'running',
        'OPS-2': 'notStarted',
      });
    });

    test('needs a metric', async () => {
      await expect(report({ reportType })).rejects.toMatchObject({ code: 'bad-request' });
    });
  });
}
