import { millisecondsInDay, millisecondsInWeek } from 'date-fns/constants';
import fc from 'fast-check';
import { expect, test } from '#jest';
import { agingKind } from '../../../src/api/answers/aging/aging-kind.ts';
import type { ForecastQuestion } from '../../../src/api/answers/forecast/forecast-answer.ts';
import { forecastKind } from '../../../src/api/answers/forecast/forecast-kind.ts';
import { standupKind } from '../../../src/api/answers/standup/standup-kind.ts';
import type { IssueReason } from '../../../src/api/nudges/nudges-api.ts';
import { AppError } from '../../../src/model/error.ts';
import type { Issue } from '../../../src/model/issue.ts';
import { principalOf } from '../../support/principal-of.ts';
import { runs } from '../../support/soak.ts';
import { end, issueTypes, overLists, peopledReporting, someIssues, start, through, web } from './a-team.ts';
import { someFlows } from './some-flows.ts';
import { teamAnswers } from './team-answers.ts';

const bob = principalOf('bob');
/** The links of issues: to one with the level, to one of SEC, and to one that bob sees. */
const links = ['is blocked by WEB-501', 'is blocked by SEC-1', 'is blocked by WEB-2'].map((words) => [
  { id: words, name: words },
]);
const level = { id: '7', name: 'Secret' };
/** Bob sees neither the issues with the level nor those of SEC. */
const access = [
  { kind: 'level', id: level.id, viewers: ['user:ada'] },
  { kind: 'project', id: 'SEC', viewers: ['user:ada'] },
] as const;

/** An issue whose life was a number of weeks earlier. */
function earlier(issue: Issue, weeks: number): Issue {
  const ms = weeks * millisecondsInWeek;
  const before = (at: number | null) => (at === null ? null : at - ms);
  const { created, updated, history } = issue;
  return {
    ...issue,
    ...{ created: created - ms, updated: updated - ms },
    changes: issue.changes.map((change) => ({ ...change, at: change.at - ms })),
    history: history.complete
      ? history
      : {
          ...history,
          unknownFrom: before(history.unknownFrom),
          unknownUntil: before(history.unknownUntil),
        },
  };
}

/** The same lives in several weeks. */
const several = (issues: readonly Issue[], weeks: number) =>
  Array.from({ length: weeks }, (_, week) => issues.map((issue) => earlier(issue, week))).flat();

/** Issues of a project, numbered from a number on. */
const numbered = (issues: readonly Issue[], first: number, project = 'WEB') =>
  issues.map((issue, i): Issue => ({ ...issue, key: `${project}-${first + i}` }));

/** The work of a team that finishes an issue on each of the 60 days before an instant, and has begun one. */
function steadyTeam(until: number): readonly Issue[] {
  const finished = Array.from({ length: 60 }, (_, i) => {
    const at = until - (i + 1) * millisecondsInDay;
    return through(i, [at - 9 * millisecondsInDay, '1'], [at - 8 * millisecondsInDay, '3'], [at, '5']);
  });
  return [through(0, [until - millisecondsInDay, '3']), ...finished];
}

const someAnswer: fc.Arbitrary<(issue: Issue) => IssueReason> = fc
  .record({
    kind: fc.constantFrom('onIt', 'blocked', 'snoozed'),
    at: fc.integer({ min: start, max: end }),
  })
  .map(({ kind, at }) => ({ key, status, changes, created }) => {
    const since = changes.findLast(({ field }) => field === 'status')?.at ?? created;
    const given = { key, at, person: { id: 'carl', name: 'Carl' }, visit: { statusId: status.id, since } };
    if (kind === 'blocked') return { ...given, kind, reason: `waits for ${key}` };
    return kind === 'onIt' ? { ...given, kind } : { ...given, kind: 'snoozed', until: end };
  });

const world = fc
  .record({
    seen: someIssues,
    isSteady: fc.boolean(),
    times: fc.constantFrom(1, 6),
    hidden: someIssues,
    flows: someFlows,
    answers: fc.array(someAnswer, { minLength: 1, maxLength: 5 }),
    lists: fc.boolean(),
    asOf: fc.integer({ min: start + 60 * millisecondsInDay, max: end }),
    calendar: fc.constantFrom('normalHours', '1', '2'),
    timeZone: fc.constantFrom('UTC', 'America/New_York', 'Asia/Kolkata'),
  })
  .map(({ seen, isSteady, times, hidden, answers, ...more }) => {
    const steady = isSteady ? steadyTeam(more.asOf) : [];
    // Some are linked to issues that bob does not see.
    const open = numbered([...steady, ...several(seen, times)], 1).map((issue, i) => ({
      ...issue,
      fields: { ...issue.fields, issuelinks: links[i % 4] ?? [] },
    }));
    const secret = numbered(several(hidden, 3), 501).map((issue) => ({
      ...issue,
      fields: { ...issue.fields, security: level },
    }));
    const others = numbered(several(hidden, 2), 1, 'SEC').map((issue) => ({
      ...issue,
      project: { id: '300', name: 'Secrets' },
    }));
    return { ...more, open, all: [...open, ...secret, ...others], answers };
  });

type World = typeof world extends fc.Arbitrary<infer Value> ? Value : never;

/** Answers over some of the issues, each of which has an answer to a nudge. */
async function answersOver(issues: readonly Issue[], { flows, lists, answers }: World) {
  const directory = {
    issueTypes,
    access,
    fields: [{ id: 'security', name: 'Security Level' }],
  };
  const port = peopledReporting(issues, () => end, directory, flows);
  const byKey = new Map(issues.map((issue, i) => [issue.key, answers[i % answers.length]?.(issue)]));
  return (
    await teamAnswers({
      reporting: lists ? overLists(port) : port,
      now: () => end,
      reasonsFor: async (keys, asOf) =>
        new Map(
          keys.flatMap((key) => {
            const reason = byKey.get(key);
            return reason === undefined || reason.at > asOf ? [] : [[key, reason] as const];
          }),
        ),
    })
  ).answers;
}

type Answers = Awaited<ReturnType<typeof answersOver>>;

/** What a question comes to: its answer, or the failure with all that it says. */
async function outcomeOf(read: () => Promise<unknown>): Promise<string> {
  const text = (_: string, value: unknown) => (value instanceof Map ? [...value] : value);
  try {
    return JSON.stringify(await read(), text);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return JSON.stringify([error.code, error.reason, error.message, error.details]);
  }
}

/** The outcomes of questions over the issues that bob sees, and over all of them, compared. */
async function expectTheSame(
  { open, all, ...more }: World,
  questions: (answers: Answers) => readonly (() => Promise<unknown>)[],
): Promise<readonly string[]> {
  const own = { open, all, ...more };
  const [without, whole] = [await answersOver(open, own), await answersOver(all, own)];
  const expected = await Promise.all(questions(without).map(outcomeOf));
  expect(await Promise.all(questions(whole).map(outcomeOf))).toEqual(expected);
  return expected;
}

const day = (at: number) => new Date(at).toISOString().slice(0, 10);

test('forecasts are the same with and without issues that a person cannot see', async () => {
  const seen = { dates: 0, counts: 0, ofIssue: 0 };
  await fc.assert(
    fc.asyncProperty(world, async (one) => {
      const { asOf, calendar, timeZone, open } = one;
      const hours: Omit<ForecastQuestion, 'selection'> = { kind: 'forecast', calendar, timeZone };
      const started = open.filter(({ status }) => ['3', '4'].includes(status.id));
      const keys = [...started.slice(0, 12).map(({ key }) => key), 'WEB-1', 'WEB-501', 'SEC-1'];
      const questions: readonly ForecastQuestion[] = [
        { ...hours, selection: web, issues: 3 },
        { ...hours, selection: web, until: day(asOf + 20 * millisecondsInDay) },
        { ...hours, selection: { by: 'jql', jql: '' } },
        { ...hours, selection: { by: 'keys', keys } },
        ...keys.map((key): ForecastQuestion => ({ ...hours, selection: { by: 'keys', keys: [key] } })),
      ];
      const [dates, counts, ...others] = await expectTheSame(one, (answers) =>
        questions.map((question) => () => answers.ask(forecastKind, bob, question, asOf)),
      );
      const isForecast = (text = '') => text.includes('"odds":[{');
      seen.dates += Number(isForecast(dates));
      seen.counts += Number(isForecast(counts));
      seen.ofIssue += others.slice(2).filter(isForecast).length;
    }),
    { numRuns: runs(160) },
  );
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(0);
});

test('ages and the reasons of issues are the same with and without issues that a person cannot see', async () => {
  const seen = { reasons: 0, blocked: 0 };
  await fc.assert(
    fc.asyncProperty(world, fc.boolean(), async (one, isWithBacklog) => {
      const { asOf, calendar, timeZone } = one;
      const hours = { calendar, timeZone };
      const backlog = isWithBacklog ? ({ backlog: true } as const) : {};
      const [aging = ''] = await expectTheSame(one, (answers) => [
        () => answers.ask(agingKind, bob, { kind: 'aging', selection: web, ...backlog, ...hours }, asOf),
        () =>
          answers.ask(
            agingKind,
            bob,
            { kind: 'aging', selection: { by: 'jql', jql: '' }, ...backlog, ...hours },
            asOf,
          ),
      ]);
      seen.reasons += Number(aging.includes('waits for WEB-'));
      seen.blocked += Number(aging.includes('"causes":[{'));
    }),
    { numRuns: runs(300) },
  );
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(0);
});

test('a standup is the same with and without issues that a person cannot see', async () => {
  const seen = { finished: 0, started: 0, blocked: 0, due: 0 };
  await fc.assert(
    fc.asyncProperty(world, async (one) => {
      const { asOf, calendar, timeZone } = one;
      const [ofProject = ''] = await expectTheSame(one, (answers) =>
        [web, { by: 'jql', jql: '' } as const].map(
          (selection) => () =>
            answers.ask(standupKind, bob, { kind: 'standup', selection, calendar, timeZone }, asOf),
        ),
      );
      for (const name of Object.keys(seen) as (keyof typeof seen)[])
        seen[name] += Number(
          ofProject.includes(`"${name}":{"count":`) && !ofProject.includes(`"${name}":{"count":0`),
        );
    }),
    { numRuns: runs(160) },
  );
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(0);
});
