import { millisecondsInHour } from 'date-fns/constants';
import { describe, expect, test } from '#jest';
import { flowKind } from '../../../src/api/answers/flow/flow-kind.ts';
import { reportKind } from '../../../src/api/answers/report/report-kind.ts';
import type { Directory } from '../../../src/model/directory.ts';
import type { Issue } from '../../../src/model/issue.ts';
import { defaultStatistic, type ReportRequest, type Statistic } from '../../../src/model/request.ts';
import type { AnyQuestion } from '../../support/any-question.ts';
import { principalOf } from '../../support/principal-of.ts';
import { refusal } from '../delegations/an-office.ts';
import { ada, always, at, cut, peopledReporting, through, web, withPerson } from './a-team.ts';
import { aReport, aSide, teamAnswers } from './team-answers.ts';

const now = at('03-11T15:00');
const bob = principalOf('bob');
const office = { calendar: '1', timeZone: 'UTC' };
const sum: Statistic = { ...defaultStatistic, type: 'sum' };

/** Thirty issues in work since so many hours of March as their number, and what is known beside them. */
const issues = Array.from({ length: 30 }, (_, i) =>
  through(i + 1, [at('03-01T00:00') + i * millisecondsInHour, '3']),
);

async function over(
  world: readonly Issue[],
  directory: Partial<Directory> = {},
  saved: Readonly<Record<string, Partial<ReportRequest>>> = {},
) {
  const clock = () => now;
  const reporting = peopledReporting(world, clock, directory);
  return { ...(await teamAnswers({ reporting, now: clock, saved })), reporting };
}

function withLevel(issue: Issue): Issue {
  return { ...issue, fields: { ...issue.fields, security: { id: 'board', name: 'Board' } } };
}

describe('one issue', () => {
  const moved = through(1, '03-09T12:00 1', '03-11T13:30 3');

  test('is told in the hours of the calendar, as of the instant asked about, however its key is typed', async () => {
    const { answers } = await over([moved]);
    const answer = await answers.answer(bob, { kind: 'issue', key: 'web-1', ...office }, at('03-11T14:30'));
    expect(answer).toMatchObject({
      asOf: at('03-11T14:30'),
      isEmpty: false,
      contents: { projects: ['WEB'], issues: 1, withLevel: 0 },
      value: {
        key: 'WEB-1',
        // Mondays from 9 to 12 and 13 to 17 in New York; the Tuesday is a holiday, Wednesday begins at 13:00 UTC.
        before: [{ name: 'Open', spentMs: 7.5 * millisecondsInHour }],
        stages: [{ name: 'Doing', spentMs: millisecondsInHour, now: true }],
        tookMs: millisecondsInHour,
        current: { name: 'Doing', since: at('03-11T13:30'), forMs: millisecondsInHour },
        provenance: { calendar: { name: 'Office' }, asOf: at('03-11T14:30') },
      },
    });
  });

  test('that does not exist, or did not yet, is not found', async () => {
    const { answers } = await over([moved]);
    const refused = (key: string, asOf: number | null) =>
      refusal(answers.answer(bob, { kind: 'issue', key, ...always }, asOf));
    expect(await refused('web-9', null)).toEqual([
      'not-found',
      'The issue could not be found or you do not have permission to view it.',
      "issueKey 'WEB-9' could not be found.",
    ]);
    expect(await refused('WEB-1', at('03-01T00:00'))).toContain('not-found');
  });
});

describe('a report', () => {
  test('tells the first ten issues of a list, and of any other part the same instant', async () => {
    const { answers } = await over(issues);
    const first = await answers.answer(bob, aReport(), null);
    expect(first).toMatchObject({
      asOf: now,
      contents: { projects: ['WEB'], issues: 30, withLevel: 0 },
      value: { table: { page: { start: 0, end: 10, total: 30 }, provenance: { askedAt: now } } },
    });
    const third = await answers.answer(bob, aReport(), first.asOf, { start: 20, size: 10 });
    expect(third.value).toMatchObject({ table: { page: { start: 20, end: 30, total: 30 } } });
    expect(third.asOf).toBe(first.asOf);
  });

  test('tells what all of its issues are, not only those of the part', async () => {
    const [first, ...others] = issues;
    if (first === undefined) throw new Error('There is a first issue');
    const { answers } = await over([withLevel(first), ...others]);
    const answer = await answers.answer(ada, aReport(), null, { start: 0, size: 5 });
    expect(answer.contents).toEqual({ projects: ['WEB'], issues: 30, withLevel: 1 });
  });

  test('of which nobody tells what its issues are is for its principal alone', async () => {
    const { reporting } = await over(issues);
    const silent = { ...reporting, audienceScope: async () => null };
    const { answers } = await teamAnswers({ reporting: silent, now: () => now });
    expect((await answers.answer(bob, aReport(), null)).contents).toBeNull();
  });

  test('counts its days back from the instant spoken of', async () => {
    const { answers } = await over(issues);
    const recent = aReport({}, { field: 'created', when: { by: 'days', days: 1 } });
    const totalOf = async (asOf: number | null) => {
      return (await answers.ask(reportKind, bob, recent, asOf)).value.table.page?.total;
    };
    expect([await totalOf(at('03-01T03:00')), await totalOf(at('03-02T12:00')), await totalOf(null)]).toEqual(
      [4, 18, 0],
    );
  });

  test('condenses all of its issues where a statistic is asked for', async () => {
    const { answers } = await over(issues);
    const answer = await answers.answer(bob, aReport({ statistic: sum }), at('03-02T06:00'));
    expect(answer.value).toMatchObject({
      table: { page: null, rows: [{ issueCount: 30, cells: { '3': { value: 465 * millisecondsInHour } } }] },
      request: { page: null, asOf: at('03-02T06:00') },
    });
  });

  test('refuses visits of more than single issues as the report itself does', async () => {
    const { answers } = await over(issues);
    const question = aReport({ reportType: 'statusDurationExpanded' });
    expect(await refusal(answers.answer(bob, question, null))).toContain('bad-request');
  });
});

describe('a saved parameter set', () => {
  test('is read whenever it is asked, with its own statistic', async () => {
    const { answers } = await over(issues, {}, { mine: { statistic: sum }, other: {} });
    const saved = (setId: string) => answers.answer(bob, { kind: 'saved', setId, timeZone: 'UTC' }, null);
    expect((await saved('mine')).value).toMatchObject({ table: { statistic: sum, page: null } });
    expect((await saved('other')).value).toMatchObject({ table: { page: { end: 10, total: 30 } } });
    expect(await refusal(saved('gone'))).toEqual(['not-found', "There is no parameter set 'gone'."]);
  });

  test('that names an instant of its own tells of it, and is answered the same when it is asked again', async () => {
    const { answers } = await over(issues, {}, { past: { asOf: at('03-01T05:00') } });
    const question: AnyQuestion = { kind: 'saved', setId: 'past', timeZone: 'UTC' };
    const first = await answers.answer(bob, question, null);
    expect(first.asOf).toBe(now);
    expect(first.value).toMatchObject({
      table: { page: { total: 6 }, provenance: { asOf: at('03-01T05:00') } },
    });
    expect((await answers.answer(bob, question, first.asOf)).value).toMatchObject({
      table: { page: { total: 6 } },
    });
  });
});

describe('contents', () => {
  const [open, other] = issues;
  const done = through(40, '03-01T00:00 3', '03-02T00:00 5');
  const aging: AnyQuestion = { kind: 'aging', selection: web, ...always };

  test('of ages are those of open issues and of the visits that tell what is usual', async () => {
    if (open === undefined || other === undefined) throw new Error('There are two issues');
    const contentsOf = async (world: readonly Issue[], question: AnyQuestion = aging) => {
      const { answers } = await over(world);
      return (await answers.answer(ada, question, null)).contents;
    };
    expect(await contentsOf([open, other])).toEqual({ projects: ['WEB'], issues: 2, withLevel: 0 });
    expect(await contentsOf([withLevel(open), other])).toEqual({
      projects: ['WEB'],
      issues: 2,
      withLevel: 1,
    });
    expect(await contentsOf([open, withLevel(done)])).toMatchObject({ withLevel: 0 });
    // Five visits that ended lately tell what is usual, and so the answer tells of them.
    const four = [41, 42, 43, 44].map((number) => ({ ...done, key: `WEB-${number}` }));
    expect(await contentsOf([open, ...four, withLevel(done)])).toEqual({
      projects: ['WEB'],
      issues: 5,
      withLevel: 1,
    });
    expect(await contentsOf([withLevel(done)])).toEqual({ projects: [], issues: 0, withLevel: 0 });
    expect(
      await contentsOf([withLevel(done), open], { ...aging, kind: 'weekly', week: 'this' }),
    ).toMatchObject({
      withLevel: 1,
    });
  });

  test('of a comparison are those of both sides', async () => {
    if (open === undefined) throw new Error('There is an issue');
    const side = (title: string, key: string) => aSide(title, { by: 'keys', keys: [key] });
    const app: Issue = { ...through(7, '03-01T00:00 3'), key: 'APP-7' };
    const { answers } = await over([open, withLevel(app)]);
    const sides = [side('Web', 'WEB-1'), side('App', 'APP-7')] as const;
    const { contents } = await answers.answer(ada, { kind: 'compare', sides, ...always }, null);
    expect(contents).toEqual({ projects: ['APP', 'WEB'], issues: 1, withLevel: 1 });
  });
});

test('an answer is empty exactly where there is nothing to say', async () => {
  const nothing = { by: 'jql', jql: 'project = WEB AND status = Review' } as const;
  const all = { by: 'jql', jql: '' } as const;
  const emptyOf = async (question: AnyQuestion, world = issues) => {
    const { answers } = await over(world);
    return (await answers.answer(ada, question, null)).isEmpty;
  };
  const questions = (selection: typeof nothing | typeof all): readonly AnyQuestion[] => [
    aReport({ selection }),
    aReport({ selection, statistic: sum }),
    { kind: 'weekly', selection, week: 'this', ...always },
    { kind: 'aging', selection, ...always },
    { kind: 'compare', sides: [aSide('A', nothing), aSide('B', selection)], ...always },
  ];
  for (const question of questions(nothing)) expect([question.kind, await emptyOf(question)]).toContain(true);
  for (const question of questions(all)) expect([question.kind, await emptyOf(question)]).toContain(false);
  const lost = cut(through(1, '03-01T08:00 1', '03-02T08:00 3'), 0, 2);
  // Since when it waits nobody knows; that it waits is something to say.
  expect(await emptyOf({ kind: 'aging', selection: all, ...always }, [lost])).toBe(false);
});

test('a flow reads the dates of its filter in the zone of the question, in each of its figures', async () => {
  const { answers } = await over([through(1, '03-08T23:30 3')]);
  const selection = { by: 'jql', jql: 'created >= "2026-03-09"' } as const;
  const question = { kind: 'flow', selection, calendar: 'normalHours', timeZone: 'Europe/Berlin' } as const;
  const { total, openIssues, provenance } = (await answers.ask(flowKind, ada, question)).value;
  expect([provenance.issues, total.arrived, total.inProgress, openIssues.length]).toEqual([1, 1, 1, 1]);
});

describe('the list behind an answer', () => {
  const finished = through(31, '03-03T00:00 3', '03-04T00:00 5');
  const earlier = through(32, '02-03T00:00 3', '02-04T00:00 5');
  const world = [withPerson(through(1, '03-01T00:00 3'), 'bob'), finished, earlier];
  const keysOf = async (question: AnyQuestion, principal = bob) => {
    const { answers, reporting } = await over(world, {}, { all: { statistic: sum } });
    const request = await answers.requestOf(principal, question, null);
    if (request === null) return null;
    expect([request.principal, request.asOf, request.statistic, request.page]).toEqual([
      principal,
      now,
      null,
      null,
    ]);
    return (await reporting.report(request)).issues.map(({ key }) => key);
  };

  test('is of the issues it tells of', async () => {
    expect(await keysOf({ kind: 'issue', key: 'web-31', ...office })).toEqual(['WEB-31']);
    expect(await keysOf(aReport({ statistic: sum }))).toEqual(['WEB-31', 'WEB-1', 'WEB-32']);
    expect(await keysOf({ kind: 'saved', setId: 'all', timeZone: 'UTC' })).toHaveLength(3);
    expect(await keysOf({ kind: 'weekly', selection: web, week: 'last', ...always })).toEqual(['WEB-31']);
    expect(await keysOf({ kind: 'aging', selection: web, ...always })).toEqual(['WEB-1']);
    expect(await keysOf({ kind: 'mine', ...always })).toEqual(['WEB-1']);
    expect(await keysOf({ kind: 'mine', ...always }, ada)).toEqual([]);
  });

  test('is named by its number and its project, and never by a query', async () => {
    const { answers } = await over(world);
    const titleOf = async (question: AnyQuestion) => {
      const { selection } = (await answers.requestOf(bob, question, null)) ?? {};
      return selection?.by === 'keys' ? selection.title : undefined;
    };
    const query = { by: 'jql', jql: 'summary ~ Issue', title: 'about Issue' } as const;
    const weekly = { kind: 'weekly', week: 'last', ...always } as const;
    expect(await titleOf({ ...weekly, selection: web })).toBe('1 issue of WEB finished in week 10 of 2026');
    expect(await titleOf({ ...weekly, selection: query })).toBe('1 issue finished in week 10 of 2026');
    expect(await titleOf({ kind: 'aging', selection: query, ...always })).toBe('1 started issue by age');
  });

  test('is none where two are compared', async () => {
    expect(await keysOf({ kind: 'compare', sides: [aSide('A'), aSide('B')], ...always })).toBeNull();
  });
});
