import { describe, expect, test } from '#jest';
import type { Selection, Statistic } from '../../../src/model/request.ts';
import { type CaseParts, doingOfWeb2, HALF_MINUTE, hours, only, sum } from './case-parts.ts';
import { expectNear, keysIn, linesOf } from './tables.ts';

/** One figure for many issues, and lists told in groups. */
export function statisticCases({ report }: CaseParts): void {
  describe('statistics', () => {
    const toDo = [2, 93, 1, 196, 100].map(hours);
    const doing = [hours(40), doingOfWeb2, 0, hours(48)];
    const naive = (values: readonly number[], count: number, { type, deviation }: Statistic) => {
      const total = values.reduce((all, one) => all + one, 0);
      const mean = total / count;
      const zeros = count - values.length;
      const squares = values.reduce((all, one) => all + (one - mean) ** 2, 0) + zeros * mean ** 2;
      const spread = Math.sqrt(squares / (deviation === 'sample' ? count - 1 : count));
      return { sum: total, average: mean, standardDeviation: spread }[
        type as 'sum' | 'average' | 'standardDeviation'
      ];
    };

    test('of sums are exact', async () => {
      const table = await report({ statistic: sum });
      expect(linesOf(table)).toEqual([
        { 'To Do': hours(392), Doing: hours(355) - HALF_MINUTE, Review: hours(30), Done: hours(702) },
      ]);
      expect(table.rows).toMatchObject([{ issueKey: null, issueCount: 5 }]);
      expect(table.statistic).toMatchObject({ type: 'sum' });
      expect(table.issues).toEqual([]);
    });

    test.each(
      (['average', 'standardDeviation'] as const).flatMap((type) =>
        (['nonNull', 'all'] as const).map((denominator) => ({ type, denominator })),
      ),
    )('of $type divide by $denominator', async ({ type, denominator }) => {
      const statistic: Statistic = { ...sum, type, denominator };
      const [line = {}] = linesOf(await report({ statistic }));
      const of = (values: readonly number[]) =>
        naive(values, denominator === 'all' ? 5 : values.length, statistic);
      expectNear(line, { 'To Do': of(toDo), Doing: of(doing), Review: of([6, 24].map(hours)) });
    });

    test('tell the deviation of a sample where that is asked', async () => {
      const statistic: Statistic = { ...sum, type: 'standardDeviation', deviation: 'sample' };
      const [line = {}] = linesOf(await report({ statistic }));
      expectNear(line, { 'To Do': naive(toDo, 5, statistic), Doing: naive(doing, 4, statistic) });
    });

    test('of the middle take the mean of the two in the middle', async () => {
      const [line = {}] = linesOf(await report({ statistic: { ...sum, type: 'median' } }));
      expect(line).toEqual({ 'To Do': hours(93), Doing: hours(44), Review: hours(15), Done: hours(351) });
    });

    test('of a percentile are interpolated', async () => {
      const [line = {}] = linesOf(
        await report({ statistic: { ...sum, type: 'percentile', percentile: 85 } }),
      );
      expectNear(line, { 'To Do': hours(138.4), Review: hours(21.3) });
    });

    test.each<[Statistic['type'], Record<string, Record<string, number>>]>([
      ['sum', { OPS: { 'To Do': 296, Doing: 48 }, WEB: { 'To Do': 96, Review: 30, Done: 702 } }],
      ['average', { OPS: { 'To Do': 148, Doing: 48 }, WEB: { 'To Do': 32, Review: 15, Done: 351 } }],
      ['median', { OPS: { 'To Do': 148, Doing: 48 }, WEB: { 'To Do': 2, Doing: 40, Review: 15 } }],
      ['percentile', { OPS: { 'To Do': 181.6, Doing: 48 }, WEB: { 'To Do': 65.7, Review: 21.3 } }],
    ])('of %s are told per group', async (type, expected) => {
      const table = await report({ statistic: { ...sum, type }, groupBy: ['calc:projectKey'] });
      expect(table.rows.map(({ issueCount }) => issueCount)).toEqual([2, 3]);
      const lines = Object.fromEntries(linesOf(table).map((line) => [line['Project Key'], line]));
      expect(Object.keys(lines)).toEqual(['OPS', 'WEB']);
      for (const [project, told] of Object.entries(expected)) {
        expectNear(
          lines[project] ?? {},
          Object.fromEntries(Object.entries(told).map(([title, count]) => [title, hours(count)])),
        );
      }
      expect(lines.OPS).not.toHaveProperty('Done');
    });

    test('over all issues count every issue of the group', async () => {
      const statistic: Statistic = { ...sum, type: 'average', denominator: 'all' };
      const table = await report({ statistic, groupBy: ['calc:projectKey'] });
      const [ops = {}, web = {}] = linesOf(table);
      expectNear(ops, { Doing: hours(24) });
      expectNear(web, { Review: hours(10) });
    });

    test('per group tell those without a value as a group of their own', async () => {
      const table = await report({ statistic: sum, groupBy: ['priority'] });
      expect(linesOf(table).map((line) => [line.Priority, line['To Do']])).toEqual([
        ['High', hours(3)],
        ['Medium', hours(100)],
        ['Low', hours(93)],
        [undefined, hours(196)],
      ]);
    });

    test('per group of two fields tell every pair there is', async () => {
      const table = await report({ statistic: sum, groupBy: ['calc:projectKey', 'priority'] });
      expect(linesOf(table).map((line) => [line['Project Key'], line.Priority, line['To Do']])).toEqual([
        ['OPS', 'Medium', hours(100)],
        ['OPS', undefined, hours(196)],
        ['WEB', 'High', hours(3)],
        ['WEB', 'Low', hours(93)],
      ]);
    });

    test('combine with first visits and a calendar', async () => {
      const first = await report({
        statistic: sum,
        multiVisitBehavior: 'first',
        selection: only('WEB-1', 'WEB-3'),
      });
      expect(linesOf(first)).toMatchObject([{ Doing: hours(24), Review: hours(30) }]);
      const office = await report({ statistic: sum, calendar: '7', selection: only('WEB-1', 'WEB-3') });
      expect(linesOf(office)).toMatchObject([{ Doing: hours(7), Done: hours(139) }]);
    });
  });

  describe('a grouped list', () => {
    test('tells the group of every issue, those of a group together, in the order of the query', async () => {
      const selection: Selection = { by: 'jql', jql: 'project in (WEB, OPS) ORDER BY created ASC' };
      const table = await report({ selection, groupBy: ['priority'] });
      const told = [
        ['WEB-1', 'High'],
        ['WEB-3', 'High'],
        ['OPS-2', 'Medium'],
        ['WEB-2', 'Low'],
        ['OPS-1', undefined],
      ];
      expect(linesOf(table).map((line) => [line.Key, line.Priority])).toEqual(told);
      expect(keysIn(table)).toEqual(told.map(([key]) => key));
    });
  });
}
