import { beforeAll, describe, expect, test } from '#jest';
import type { Answer, AnswersApi } from '../../../src/api/answers.ts';
import type { Principal } from '../../../src/model/principal.ts';
import type { Question } from '../../../src/model/question.ts';
import { ask } from '../../../src/model/request.ts';
import { teamAnswers } from '../../api/answers/team-answers.ts';
import { caseWorld } from '../../support/case-world.ts';
import { principalOf } from '../../support/principal-of.ts';
import { type CaseParts, doingOfWeb2, hours, principal } from './case-parts.ts';

const now = Date.parse(caseWorld.now);
const { timeZone } = caseWorld;
const measured = { calendar: 'normalHours', timeZone } as const;
const project = (key: string) => ({ by: 'project', project: key }) as const;
const weekly = (week: 'last' | number): Question => ({
  kind: 'weekly',
  selection: project('WEB'),
  week,
  ...measured,
});

/** What is asked in words, which rests on what an implementation tells beside the figures. */
export function answerCases({ reporting, at }: CaseParts): void {
  let answers: AnswersApi;
  beforeAll(() => {
    const people = Object.fromEntries(caseWorld.users.map(({ id, name }) => [id, name]));
    ({ answers } = teamAnswers({ reporting: reporting(), now: () => now, people }));
  });
  const told = async <Kind extends Answer['told']['kind']>(
    kind: Kind,
    question: Question,
    as: Principal = principal,
  ): Promise<Extract<Answer['told'], { kind: Kind }>> => {
    const { told: found } = await answers.answer(as, question, null);
    const isAsked = (one: Answer['told']): one is Extract<Answer['told'], { kind: Kind }> =>
      one.kind === kind;
    if (!isAsked(found)) throw new Error(`an answer of another kind: ${found.kind}`);
    return found;
  };

  describe('asked in words', () => {
    test('an issue tells since when it is where it is', async () => {
      const { story } = await told('issue', { kind: 'issue', key: 'WEB-2', ...measured });
      expect(story.current).toMatchObject({ title: 'Doing', since: at('2026-03-09T09:00:30Z') });
      expect(Math.abs((story.current?.forMs ?? 0) - doingOfWeb2)).toBeLessThanOrEqual(60_000);
      const office = await told('issue', { kind: 'issue', key: 'OPS-1', ...measured, calendar: '7' });
      expect(office.story.current).toMatchObject({ title: 'To Do', forMs: hours(45) });
    });

    test('a week tells what was finished in it, and the cycle times', async () => {
      const first = Date.parse('2026-03-04T12:00:00Z');
      const { weekly: week } = await told('weekly', weekly(first));
      expect(week.finished.week).toBe(2);
      expect(week.cycleTime.week).toMatchObject({ count: 2, average: hours(35) });
      expect(week.doubts).toMatchObject({ unclear: [], sinceUnknown: [], withoutCategory: [] });
      const { weekly: last } = await told('weekly', weekly('last'));
      expect([last.finished.week, last.finished.weekBefore]).toEqual([0, 2]);
    });

    test('two lists are compared', async () => {
      const side = (key: string) => ({ title: key, selection: project(key), range: null });
      const { comparison } = await told('compare', {
        kind: 'compare',
        sides: [side('WEB'), side('OPS')],
        ...measured,
      });
      expect(comparison.issues).toEqual([3, 2]);
      expect(comparison.finished).toEqual([2, 0]);
      expect(comparison.doubts).toMatchObject([{ unclear: [] }, { unclear: [] }]);
    });

    test('what is open tells how long it has been where it is, and with whom', async () => {
      const { aging } = await told('aging', { kind: 'aging', selection: project('OPS'), ...measured });
      expect(aging.unknown).toEqual([]);
      expect(aging.issues).toMatchObject([
        {
          key: 'OPS-1',
          status: { id: '1', title: 'To Do', category: 'To Do' },
          since: at('2026-03-12T08:00:00Z'),
          ageMs: hours(196),
          assignee: { id: 'carl', name: 'Carl Cedar' },
        },
        { key: 'OPS-2', since: at('2026-03-16T08:00:00Z'), ageMs: hours(100), assignee: null },
      ]);
    });

    test('what waits on somebody is what is with them now', async () => {
      const bob = principalOf('bob');
      const { mine } = await told('mine', { kind: 'mine', ...measured }, bob);
      expect(mine.own.issues.map(({ key }) => key)).toEqual(['WEB-2']);
      expect(mine.own).toMatchObject({ unknown: [], doubts: { unclear: [] } });
      const carl = await told('mine', { kind: 'mine', ...measured }, principalOf('carl'));
      expect(carl.mine.own.issues.map(({ key }) => key)).toEqual(['OPS-1']);
    });

    test('everything is asked for without a query', async () => {
      const request = { reportType: 'statusCount', selection: { by: 'jql', jql: '' } } as const;
      const table = await reporting().report(ask({ principal, ...request }));
      expect(table.issues).toHaveLength(caseWorld.issues.length);
      expect(table.provenance.query).toBe('');
    });

    test('an instant before is told of as it was then', async () => {
      const asOf = Date.parse('2026-03-12T07:00:00Z');
      const { told: found } = await answers.answer(
        principal,
        { kind: 'aging', selection: project('OPS'), ...measured },
        asOf,
      );
      expect(found.kind === 'aging' && found.aging.issues).toMatchObject([
        { key: 'OPS-1', status: { id: '3' }, since: at('2026-03-10T08:00:00Z'), ageMs: hours(47) },
      ]);
    });
  });
}
