import { describe, expect, test } from '#jest';
import { storyPointsField } from '../../support/case-world.ts';
import { type CaseParts, doingOfWeb2, hours, only } from './case-parts.ts';
import { linesOf } from './tables.ts';

/** Fields as columns, and their history. */
export function fieldCases({ report, figures, at, whereTold }: CaseParts): void {
  describe('fields beside the figures', () => {
    test('are texts, instants and days', async () => {
      const fields = ['priority', 'assignee', 'created', 'resolutiondate', 'duedate', storyPointsField];
      const table = await report({ selection: only('WEB-1'), fields });
      expect(linesOf(table)[0]).toMatchObject({
        Priority: 'High',
        Assignee: 'Ada Ash',
        Created: at('2026-03-02T08:00:00Z'),
        Resolved: at('2026-03-04T08:00:00Z'),
        'Due Date': '2026-03-06',
        'Story Points': '3',
      });
      expect(table.columns.filter(({ part }) => part === 'field').map(({ id, kind }) => [id, kind])).toEqual([
        ['priority', 'text'],
        ['assignee', 'text'],
        ['created', 'instant'],
        ['resolutiondate', 'instant'],
        ['duedate', 'day'],
        [storyPointsField, 'text'],
      ]);
    });

    test('are absent where they are empty', async () => {
      const fields = ['priority', 'assignee', 'resolutiondate', 'duedate'];
      const [ops1, ops2] = linesOf(await report({ selection: only('OPS-1', 'OPS-2'), fields }));
      expect(ops1).not.toHaveProperty('Priority');
      expect(ops1).not.toHaveProperty('Resolved');
      expect(ops2).not.toHaveProperty('Assignee');
      expect(ops2).not.toHaveProperty('Due Date');
    });

    test('are told to the second half of a minute, or to the minute', async () => {
      const [web2] = linesOf(await report({ selection: only('WEB-2'), fields: ['created', 'updated'] }));
      expect(web2).toMatchObject({
        Created: at('2026-03-05T12:00:30Z'),
        Updated: at('2026-03-09T09:00:30Z'),
      });
    });
  });

  describe('the history of fields', () => {
    test('is told as time per value', async () => {
      const choices = { reportType: 'anyFieldDuration', historyFields: ['priority'] };
      expect(await figures('WEB-1', choices)).toEqual({ Low: hours(26), High: hours(410) });
    });

    test('of the status is told visit by visit', async () => {
      const table = await report({ selection: only('WEB-1'), reportType: 'statusDurationExpanded' });
      expect(
        table.rows.map(({ cells }) => [cells.value?.value, cells.start?.value, cells.duration?.value]),
      ).toEqual([
        ['To Do', Date.parse('2026-03-02T08:00:00Z'), hours(2)],
        ['Doing', Date.parse('2026-03-02T10:00:00Z'), hours(24)],
        ['Review', Date.parse('2026-03-03T10:00:00Z'), hours(6)],
        ['Doing', Date.parse('2026-03-03T16:00:00Z'), hours(16)],
        ['Done', Date.parse('2026-03-04T08:00:00Z'), hours(388)],
      ]);
      expect(table.rows.map(({ cells }) => cells.value?.id)).toEqual(['1', '3', '4', '3', '5']);
    });

    test('is told of several issues, a visit of no time among them', async () => {
      const { rows } = await report({
        selection: only('WEB-3', 'WEB-2'),
        reportType: 'statusDurationExpanded',
      });
      expect(
        rows.map(({ issueKey, cells }) => [issueKey, cells.value?.value, cells.duration?.value]),
      ).toEqual([
        ['WEB-3', 'To Do', hours(1)],
        ['WEB-3', 'Doing', 0],
        ['WEB-3', 'Review', hours(24)],
        ['WEB-3', 'Done', hours(314)],
        ['WEB-2', 'To Do', hours(93)],
        ['WEB-2', 'Doing', doingOfWeb2],
      ]);
      expect(rows.at(-1)?.cells.start?.value).toBe(at('2026-03-09T09:00:30Z'));
    });

    test('has an end where the visit is over', async () => {
      const { rows } = await report({ selection: only('WEB-1'), reportType: 'statusDurationExpanded' });
      expect(rows.map(({ cells }) => cells.end?.value)).toEqual([
        Date.parse('2026-03-02T10:00:00Z'),
        Date.parse('2026-03-03T10:00:00Z'),
        Date.parse('2026-03-03T16:00:00Z'),
        Date.parse('2026-03-04T08:00:00Z'),
        undefined,
      ]);
    });

    whereTold('who made a transition')('tells who made the transition', async () => {
      const { rows } = await report({ selection: only('WEB-1'), reportType: 'statusDurationExpanded' });
      expect(rows.map(({ cells }) => cells.transitionedBy?.value)).toEqual([
        undefined,
        'Ada Ash',
        'Ada Ash',
        'Bob Birch',
        'Ada Ash',
      ]);
    });

    whereTold('visits of any field')('of any field is told visit by visit', async () => {
      const { rows, issues } = await report({
        selection: only('WEB-1'),
        reportType: 'anyFieldDurationExpanded',
        historyFields: ['priority'],
      });
      expect(issues[0]?.current).toMatchObject([{ columnId: '1', title: 'High' }]);
      expect(rows.map(({ cells }) => [cells.value?.value, cells.duration?.value])).toEqual([
        ['Low', hours(26)],
        ['High', hours(410)],
      ]);
    });
  });
}
