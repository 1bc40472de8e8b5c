import { beforeAll, describe, expect, test } from '#jest';
import { agingKind } from '../../../src/api/answers/aging/aging-kind.ts';
import { compareKind } from '../../../src/api/answers/compare/compare-kind.ts';
import { flowKind } from '../../../src/api/answers/flow/flow-kind.ts';
import { issueKind } from '../../../src/api/answers/issue/issue-kind.ts';
import { mineKind } from '../../../src/api/answers/mine/mine-kind.ts';
import type { QuestionKind } from '../../../src/api/answers/question-kind.ts';
import type { WeeklyQuestion } from '../../../src/api/answers/weekly/nine-weeks.ts';
import { weeklyKind } from '../../../src/api/answers/weekly/weekly-kind.ts';
import type { Question } from '../../../src/model/question.ts';
import { ask, type Principal } from '../../../src/model/request.ts';
import { teamAnswers } from '../../api/answers/team-answers.ts';
import { caseWorld } from '../../support/case-world.ts';
import { principalOf } from '../../support/principal-of.ts';
import { type CaseParts, doingOfWeb2, hours, principal } from './case-parts.ts';

const now = Date.parse(caseWorld.now);
const { timeZone } = caseWorld;
const measured = { calendar: 'normalHours', timeZone } as const;
const project = (key: string) => ({ by: 'project', project: key }) as const;
const weekly = (week: 'last' | number): WeeklyQuestion => ({
  kind: 'weekly',
  selection: project('WEB'),
  week,
  ...measured,
});

/** What is asked in words, which rests on what an implementation tells beside the figures. */
export function answerCases({ reporting, at }: CaseParts): void {
  let answers: Awaited<ReturnType<typeof teamAnswers>>['answers'];
  beforeAll(async () => {
    const people = Object.fromEntries(caseWorld.users.map(({ id, name }) => [id, name]));
    ({ answers } = await teamAnswers({ reporting: reporting(), now: () => now, people }));
  });
  const told = async <SlashInvocation extends Question, Value>(
    kind: QuestionKind<SlashInvocation, Value>,
    question: SlashInvocation,
    as: Principal = principal,
  ): Promise<Value> => (await answers.ask(kind, as, question)).value;

  describe('asked in words', () => {
    test('an issue tells since when it is where it is', async () => {
      const story = await told(issueKind, { kind: 'issue', key: 'WEB-2', ...measured });
      expect(story.current).toMatchObject({ name: 'Doing', since: at('2026-03-09T09:00:30Z') });
      expect(Math.abs((story.current?.forMs ?? 0) - doingOfWeb2)).toBeLessThanOrEqual(60_000);
      const office = await told(issueKind, { kind: 'issue', key: 'OPS-1', ...measured, calendar: '7' });
      expect(office.current).toMatchObject({ name: 'To Do', forMs: hours(45) });
    });

    test('a week tells what was finished in it, and the cycle times', async () => {
      const first = Date.parse('2026-03-04T12:00:00Z');
      const week = await told(weeklyKind, weekly(first));
      expect(week.finished.week).toBe(2);
      expect(week.cycleTime.week).toMatchObject({ count: 2, averageMs: hours(35) });
      expect(week).toMatchObject({ unclear: [], doneSinceUnknown: [], statusesWithoutCategory: [] });
      const last = await told(weeklyKind, weekly('last'));
      expect([last.finished.week, last.finished.weekBefore]).toEqual([0, 2]);
    });

    test('two lists are compared', async () => {
      const side = (key: string) => ({ title: key, selection: project(key), range: null });
      const comparison = await told(compareKind, {
        kind: 'compare',
        sides: [side('WEB'), side('OPS')],
        ...measured,
      });
      expect(comparison.sides).toMatchObject([
        { issues: 3, finished: 2, unclear: [] },
        { issues: 2, finished: 0, unclear: [] },
      ]);
    });

    test('flow counts issues by stage, and says how old they are', async () => {
      const flow = await told(flowKind, { kind: 'flow', selection: project('WEB'), ...measured });
      // 24 and 46 hours.
      expect(flow.total).toMatchObject({
        ...{ arrived: 3, finished: 2, inProgress: 1, flowEfficiency: null },
        cycleTime: { count: 2, p50Ms: hours(35), p85Ms: hours(42.7) },
      });
      expect(
        flow.stages.map(({ name, counts, open, left }) => [name, counts.at(-1), open, left.count]),
      ).toEqual([
        ['To Do', 0, 0, 0],
        ['Doing', 1, 1, 2],
        ['Review', 0, 0, 2],
        ['Done', 2, 0, 0],
      ]);
      expect(flow.finishedIssues.map(({ key, finishedAt, cycleMs }) => [key, finishedAt, cycleMs])).toEqual([
        ['WEB-1', at('2026-03-04T08:00:00Z'), hours(46)],
        ['WEB-3', at('2026-03-07T10:00:00Z'), hours(24)],
      ]);
      expect(flow.openIssues.map(({ key, stage }) => [key, stage])).toEqual([['WEB-2', 'Doing']]);
      expect(flow.ageUnknown).toEqual([]);
    });

    test('what is open tells how long it has been where it is, and with whom', async () => {
      const aging = await told(agingKind, {
        kind: 'aging',
        selection: project('OPS'),
        backlog: true,
        ...measured,
      });
      expect(aging.ageUnknown).toEqual([]);
      expect(aging.issues).toMatchObject([
        {
          key: 'OPS-1',
          status: { id: '1', name: 'To Do', category: 'To Do' },
          since: at('2026-03-12T08:00:00Z'),
          ageMs: hours(196),
          assignee: { id: 'carl', name: 'Carl Cedar' },
        },
        { key: 'OPS-2', since: at('2026-03-16T08:00:00Z'), ageMs: hours(100), assignee: null },
      ]);
    });

    test('what waits on somebody is what is with them now', async () => {
      const bob = principalOf('bob');
      const mine = await told(mineKind, { kind: 'mine', ...measured }, bob);
      expect(mine.own.issues.map(({ key }) => key)).toEqual(['WEB-2']);
      expect(mine.own).toMatchObject({ ageUnknown: [], unclear: [] });
      const carl = await told(mineKind, { kind: 'mine', ...measured }, principalOf('carl'));
      expect(carl.own.issues.map(({ key }) => key)).toEqual(['OPS-1']);
    });

    test('visits that ended are listed by status, each project apart', async () => {
      const input = { principal, calendar: 'normalHours', asOf: now, since: now - 90 * hours(24) };
      const ended = await reporting().endedVisits({ ...input, projects: ['WEB', 'OPS'] });
      const counts = [...ended].map(([key, { byStatus }]) => [
        key,
        Object.fromEntries([...byStatus].map(([id, lists]) => [id, lists.flatMap((one) => [...one]).length])),
      ]);
      expect(Object.fromEntries(counts)).toEqual({ OPS: { 3: 1, 9: 1 }, WEB: { 1: 3, 3: 3, 4: 2 } });
      const alone = await reporting().endedVisits({ ...input, projects: ['WEB'] });
      expect(alone.get('WEB')?.byStatus).toEqual(ended.get('WEB')?.byStatus);
    });

    test('issues assigned to a principal are counted by project', async () => {
      const counts = await reporting().assignedProjects(principalOf('bob'));
      expect(Object.fromEntries(counts)).toEqual({ WEB: 1 });
    });

    test('everything is asked for without a query', async () => {
      const request = { reportType: 'statusCount', selection: { by: 'jql', jql: '' } } as const;
      const table = await reporting().report(ask({ principal, ...request }));
      expect(table.issues).toHaveLength(caseWorld.issues.length);
      expect(table.provenance.query).toBe('');
    });

    test('an instant before is told of as it was then', async () => {
      const asOf = Date.parse('2026-03-12T07:00:00Z');
      const question = { kind: 'aging', selection: project('OPS'), ...measured } as const;
      const { value } = await answers.ask(agingKind, principal, question, asOf);
      expect(value.issues).toMatchObject([
        { key: 'OPS-1', status: { id: '3' }, since: at('2026-03-10T08:00:00Z'), ageMs: hours(47) },
      ]);
    });
  });
}
