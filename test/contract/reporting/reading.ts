import { describe, expect, test } from '#jest';
import { ask } from '../../../src/model/request.ts';
import type { Table } from '../../../src/model/table.ts';
import { type CaseParts, everything, hours, principal, sum } from './case-parts.ts';
import { expectNear, keysIn, linesOf } from './tables.ts';

/** Answers that come in parts. */
export function readingCases({ report, whereTold, reporting }: CaseParts): void {
  describe('pages', () => {
    test('by token follow each other to the end and tell every issue once', async () => {
      const pages: string[][] = [];
      let token: string | null = null;
      do {
        const table: Table = await report({ page: { by: 'token', token, size: 2 } });
        pages.push(keysIn(table));
        token = table.page?.next ?? null;
      } while (token !== null && pages.length < 10);
      expect(pages).toEqual([['OPS-2', 'OPS-1'], ['WEB-3', 'WEB-2'], ['WEB-1']]);
    });

    test('by token that hold everything lead nowhere', async () => {
      const table = await report({ page: { by: 'token', token: null, size: 5 } });
      expect(table.issues).toHaveLength(5);
      expect(table.page).toMatchObject({ next: null, size: 5 });
    });

    test('by index tell where they are', async () => {
      const table = await report({ page: { by: 'index', start: 3, size: 2 } });
      expect(keysIn(table)).toEqual(['WEB-2', 'WEB-1']);
      expect(table.page).toMatchObject({ start: 3, end: 5, size: 2 });
    });

    whereTold('how many issues there are')('tell how many issues there are', async () => {
      const table = await report({ page: { by: 'index', start: 1, size: 1 } });
      expect(table.page).toMatchObject({ start: 1, end: 2, total: 5 });
    });
  });

  describe('an opened list', () => {
    test('is read issue by issue, with its statistics beside it', async () => {
      const request = ask({ principal, reportType: 'statusDuration', selection: everything });
      const progress: (readonly [number, number])[] = [];
      const reader = await reporting().open(request, [sum, { ...sum, type: 'average' }], {
        onProgress: (completed, total) => void progress.push([completed, total]),
      });
      const keys: string[] = [];
      const cells = new Map<string, unknown>();
      for await (const part of reader.lines()) {
        for (const { facts, rows } of part) {
          keys.push(facts.key);
          cells.set(facts.key, rows[0]?.cells['1']?.value);
        }
      }
      expect(keys).toEqual(['OPS-2', 'OPS-1', 'WEB-3', 'WEB-2', 'WEB-1']);
      expect(cells.get('OPS-1')).toBe(hours(196));
      expect(reader.list.columns.map(({ title }) => title)).toEqual([
        'Key',
        'Summary',
        'To Do',
        'Doing',
        'Review',
        'Done',
      ]);
      const [total, mean] = reader.statistics;
      expect(total && linesOf(total)).toMatchObject([{ 'To Do': hours(392), Done: hours(702) }]);
      expectNear((mean && linesOf(mean)[0]) ?? {}, { 'To Do': hours(78.4), Review: hours(15) });
      expect(progress.every(([completed, all]) => completed <= all)).toBe(true);
    });

    test('of dates has no statistics', async () => {
      const reportType = 'lastTransitionToStatusDate';
      const reader = await reporting().open(ask({ principal, reportType, selection: everything }), [sum]);
      expect(reader.statistics).toEqual([]);
      for await (const part of reader.lines()) expect(part.length).toBeGreaterThan(0);
    });

    test('fails before anything is read when the request is wrong', async () => {
      const request = ask({
        principal,
        reportType: 'statusDuration',
        selection: { by: 'jql', jql: 'status = = 3' },
      });
      await expect(reporting().open(request, [])).rejects.toMatchObject({ code: 'bad-request' });
    });
  });
}
