import { millisecondsInHour } from 'date-fns/constants';
import fc from 'fast-check';
import { expect, test } from '#jest';
import { weeklyCsv } from '../../../src/api/answers/weekly/weekly-csv.ts';
import { aWeeklyAnswer, aWeeklyStatus } from '../../support/an-answer.ts';
import { runs } from '../../support/soak.ts';

const frame = { viewFormat: 'hours', dayMs: 24 * millisecondsInHour } as const;

const weekOf = (more: Parameters<typeof aWeeklyAnswer>[0]) => aWeeklyAnswer(more).value;
const linesOf = (more: Parameters<typeof aWeeklyAnswer>[0]) => weeklyCsv(weekOf(more), frame).split('\r\n');

test('a figure that is not there is an empty cell, and counts have issues for a unit', () => {
  const none = { count: 0, averageMs: null, medianMs: null, p85Ms: null, deviationMs: null };
  const one = {
    count: 1,
    averageMs: 1.5 * millisecondsInHour,
    medianMs: millisecondsInHour,
    p85Ms: millisecondsInHour,
    deviationMs: 0,
  };
  const lines = linesOf({
    finished: { week: 0, weekBefore: 1, eightWeeks: 0.125 },
    cycleTime: { week: none, weekBefore: one, eightWeeks: one },
    statuses: [],
    withoutCycleTime: [{ key: 'WEB-1', reason: 'no start' }],
  });
  expect(lines.map((line) => line.split(',').slice(1, 8).join(','))).toEqual([
    'scope,status,figure,value,unit,weekBefore,eightWeeks',
    'all,,finished,0,issues,1,0.125',
    'all,,cycleTime.count,0,issues,1,1',
    'all,,cycleTime.average,,hours,1.5,1.5',
    'all,,cycleTime.median,,hours,1,1',
    'all,,cycleTime.percentile85,,hours,1,1',
    'all,,cycleTime.standardDeviation,,hours,0,0',
    'all,,withoutCycleTime,1,issues,,',
    'all,,doneSinceUnknown,0,issues,,',
    'all,,unclear,0,issues,,',
    '',
  ]);
});

test('a target has its time, its source and two counts', () => {
  const target = {
    ...{ project: 'WEB', percent: 85, withinMs: 36 * millisecondsInHour, source: 'learned' as const },
    ...{ finishedWithin: 5, finished: 6, weekBefore: { finishedWithin: 2, finished: 4 } },
  };
  const shown = (of: typeof target | (Omit<typeof target, 'source'> & { readonly source: 'set' })) =>
    linesOf({ target: of, statuses: [] })
      .filter((line) => line.includes(',target.'))
      .map((line) => line.split(',').slice(3, 8).join(','));
  expect(shown(target)).toEqual([
    'target.percent,85,percent,85,',
    'target.within,36,hours,36,',
    'target.isLearned,1,boolean,1,',
    'target.finishedWithin,5,issues,2,',
    'target.finished,6,issues,4,',
  ]);
  expect(shown({ ...target, source: 'set' })[2]).toBe('target.isLearned,0,boolean,0,');
  const mixed = { ...target, percent: null, withinMs: null, source: 'mixed' } as const;
  const lines = linesOf({ target: mixed, statuses: [] }).filter((line) => line.includes(',target.'));
  expect(lines.slice(0, 3).map((line) => line.split(',')[4])).toEqual(['', '', '']);
});

test('names that a spreadsheet would run are text', () => {
  const lines = linesOf({ statuses: [{ ...aWeeklyStatus('x', 1), name: '=cmd|1' }] });
  expect(lines.filter((line) => line.includes("'=cmd|1"))).toHaveLength(6);
  expect(lines.join()).not.toContain(',=');
});

test('a status has six lines, whatever it is called', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('=1', 'مرحبا', '🧑‍🚀', 'a'.repeat(300)), { maxLength: 200 }),
      (names) => {
        const statuses = names.map((title) => ({ ...aWeeklyStatus('x', 1), title }));
        expect(linesOf({ statuses })).toHaveLength(1 + 9 + 6 * names.length + 1);
      },
    ),
    { numRuns: runs(20) },
  );
});
