import { describe, expect, test } from '#jest';
import type { ReportRequest, Selection } from '../../../src/model/request.ts';
import { caseWorld } from '../../support/case-world.ts';
import { type CaseParts, only } from './case-parts.ts';

const created = (from: string | null, to: string | null): ReportRequest['dateRange'] => ({
  field: 'created',
  from: from === null ? null : Date.parse(from),
  to: to === null ? null : Date.parse(to),
});

/** Which issues an answer is of. */
export function choosingCases({ report, keysOf }: CaseParts): void {
  describe('issues are chosen', () => {
    test('by key, in any case, each once, in the order asked for', async () => {
      expect(await keysOf({ selection: only('ops-1', 'WEB-1', 'OPS-1') })).toEqual(['OPS-1', 'WEB-1']);
    });

    test('by one key', async () => {
      expect(await keysOf({ selection: only('WEB-3') })).toEqual(['WEB-3']);
    });

    test.each([
      ['the only key', ['WEB-404']],
      ['one of several keys', ['WEB-1', 'WEB-404']],
    ])('not at all where %s leads nowhere', async (_which, keys) => {
      await expect(report({ selection: only(...keys) })).rejects.toMatchObject({ code: 'not-found' });
    });

    test.each<[string, Selection, readonly string[]]>([
      ['project', { by: 'project', project: 'OPS' }, ['OPS-1', 'OPS-2']],
      ['whoever had them once', { by: 'user', user: 'bob' }, ['WEB-1', 'WEB-2']],
      ['whoever has them', { by: 'user', user: 'carl' }, ['OPS-1', 'WEB-3']],
      ['saved filter', { by: 'savedFilter', id: caseWorld.filter.id }, ['WEB-1', 'WEB-3']],
      ['sprint', { by: 'sprint', id: caseWorld.sprint.id }, ['OPS-1', 'WEB-1']],
      ['JQL', { by: 'jql', jql: 'project = WEB AND status = Doing' }, ['WEB-2']],
    ])('by %s', async (_by, selection, keys) => {
      expect((await keysOf({ selection })).toSorted()).toEqual(keys);
    });

    test('in the order of the query', async () => {
      const inOrder = (jql: string) => keysOf({ selection: { by: 'jql', jql } });
      expect(await inOrder('project = WEB ORDER BY created ASC')).toEqual(['WEB-1', 'WEB-2', 'WEB-3']);
      expect(await inOrder('project = WEB ORDER BY created DESC')).toEqual(['WEB-3', 'WEB-2', 'WEB-1']);
    });

    test('that are none', async () => {
      const table = await report({ selection: { by: 'jql', jql: 'project = OPS AND status = Done' } });
      expect(table.issues).toEqual([]);
      expect(table.rows).toEqual([]);
    });

    test.each<[string, ReportRequest['dateRange'], readonly string[]]>([
      ['from the midnight of Berlin', created('2026-03-05T23:00:00Z', null), ['OPS-1', 'OPS-2', 'WEB-3']],
      ['up to a minute, which is not included', created(null, '2026-03-06T09:00:00Z'), ['WEB-1', 'WEB-2']],
      ['between two dates', created('2026-03-05T23:00:00Z', '2026-03-09T23:00:00Z'), ['OPS-1', 'WEB-3']],
      [
        'by finish',
        {
          field: 'finished',
          from: Date.parse('2026-03-04T08:00:00Z'),
          to: Date.parse('2026-03-07T10:00:00Z'),
        },
        ['WEB-1'],
      ],
      ['by resolution', { field: 'resolved', from: null, to: Date.parse('2026-03-05T23:00:00Z') }, ['WEB-1']],
      [
        'by update',
        { field: 'updated', from: Date.parse('2026-03-09T09:00:00Z'), to: null },
        ['OPS-1', 'OPS-2', 'WEB-2'],
      ],
    ])('%s', async (_range, dateRange, keys) => {
      expect((await keysOf({ dateRange })).toSorted()).toEqual(keys);
    });
  });
}
