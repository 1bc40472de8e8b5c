import fc from 'fast-check';
import { expect, test } from '#jest';
import type { Standup } from '../../../src/api/answers/standup/standup-answer.ts';
import type { Issue } from '../../../src/model/issue.ts';
import { runs } from '../../support/soak.ts';
import { ada, end, issueTypes, overLists, peopledReporting, someIssues, start, through } from './a-team.ts';
import { slowFlow, someFlows } from './some-flows.ts';
import { teamAnswers } from './team-answers.ts';

const everything = { by: 'jql', jql: '' } as const;

async function standupOver(
  reporting: ReturnType<typeof peopledReporting>,
  {
    asOf,
    calendar,
    timeZone,
  }: { readonly asOf: number; readonly calendar: string; readonly timeZone: string },
): Promise<Standup> {
  const { answers } = await teamAnswers({ reporting, now: () => end });
  const question = { kind: 'standup', selection: everything, calendar, timeZone } as const;
  return (await answers.answer(ada, question, asOf)).value as Standup;
}

/** The visits of statuses of an issue whose history is known, as its changes say. */
function visitsOf({ created, status, changes }: Issue, asOf: number) {
  const moves = changes.filter(({ field, at }) => field === 'status' && at <= asOf);
  const first = changes.find(({ field }) => field === 'status')?.from ?? status;
  return [
    { id: 'id' in first ? first.id : '', at: created },
    ...moves.map(({ at, to }) => ({ at, id: to !== null && 'id' in to ? to.id : '' })),
  ];
}

test('started and moved are what the changes since then say, from columns and from lists alike', async () => {
  await fc.assert(
    fc.asyncProperty(
      someIssues,
      someFlows,
      fc.integer({ min: start, max: end }),
      fc.constantFrom('normalHours', 'Office', 'Nights'),
      fc.constantFrom('UTC', 'Pacific/Auckland', 'America/New_York'),
      async (issues, flows, asOf, calendar, timeZone) => {
        const port = peopledReporting(issues, () => end, { issueTypes }, flows);
        const found = await standupOver(port, { asOf, calendar, timeZone });
        const ofLists = await standupOver(overLists(port), { asOf, calendar, timeZone });
        const keys = (some: { readonly issues: readonly { readonly key: string }[] } | null) =>
          some?.issues.map(({ key }) => key).toSorted();
        const facts = ({ since, finished, started, moved, due, blocked, ...one }: Standup) => ({
          ...{ since, finished: keys(finished), started: keys(started), moved: keys(moved) },
          ...{ due: keys(due), blocked: keys(blocked), missed: one.missed, inProgress: one.inProgress },
        });
        expect(facts(found)).toEqual(facts(ofLists));
        const { since } = found;
        const finished = new Set(keys(found.finished));
        const moves = issues.flatMap((issue) => {
          const { counts, kindOf } = slowFlow(flows, issue);
          const { history } = issue;
          const isWhole = history.complete || (history.unknownFrom ?? 0) >= asOf;
          const until = isWhole ? 0 : (!history.complete && history.unknownUntil) || Number.POSITIVE_INFINITY;
          if (until > since || !counts || issue.created > asOf || finished.has(issue.key)) return [];
          // Of an issue that was cut from its creation on, its first status is unknown.
          const isBegun = history.complete || history.unknownFrom !== null;
          const visits = visitsOf(issue, asOf).slice(isBegun || isWhole ? 0 : 1);
          const [last, before] = [visits.at(-1), visits.findLast(({ at }) => at < since)];
          if (last === undefined || last.at < since || before?.id === last.id) return [];
          const isStarted = (id: string) => ['active', 'waiting'].includes(kindOf(id));
          if (before === undefined && !isStarted(last.id)) return [];
          if (before !== undefined && kindOf(before.id) === 'done' && kindOf(last.id) === 'done') return [];
          const isFirst = !visits.some(({ id, at }) => at < since && isStarted(id));
          const isStart =
            isStarted(last.id) && isFirst && (before === undefined || kindOf(before.id) !== 'done');
          return [{ key: issue.key, isStart }];
        });
        const some = (isStart: boolean) =>
          moves.flatMap((one) => (one.isStart === isStart ? [one.key] : [])).toSorted();
        expect(keys(found.started)).toEqual(some(true));
        expect(keys(found.moved)).toEqual(some(false));
      },
    ),
    { numRuns: runs(150) },
  );
});

test.each([
  // A Wednesday, a Monday, a Saturday.
  ['2026-03-18T12:00:00Z', 'normalHours', 'UTC', '2026-03-17T00:00:00Z'],
  ['2026-03-16T09:00:00Z', 'normalHours', 'UTC', '2026-03-13T00:00:00Z'],
  ['2026-03-14T09:00:00Z', 'normalHours', 'UTC', '2026-03-13T00:00:00Z'],
  // In Auckland it is Monday already.
  ['2026-03-15T22:00:00Z', 'normalHours', 'Pacific/Auckland', '2026-03-12T11:00:00Z'],
  ['2026-03-15T22:00:00Z', 'normalHours', 'America/New_York', '2026-03-13T04:00:00Z'],
  // The clocks went ahead on Sunday.
  ['2026-03-30T09:00:00Z', 'normalHours', 'Europe/Berlin', '2026-03-26T23:00:00Z'],
  // No work from Friday to Sunday, nor on the holiday on Tuesday.
  ['2026-03-11T15:00:00Z', 'Office', 'America/New_York', '2026-03-09T04:00:00Z'],
  ['2026-03-09T15:00:00Z', 'Office', 'America/New_York', '2026-03-05T05:00:00Z'],
  // The rest of Monday's shift is in Tuesday.
  ['2026-03-12T12:00:00Z', 'Nights', 'Europe/Berlin', '2026-03-09T23:00:00Z'],
])('at %s by %s in %s it begins on the last working day', async (asOf, calendar, timeZone, since) => {
  const port = peopledReporting([through(1, [start, '3'])], () => end, { issueTypes });
  const found = await standupOver(port, { asOf: Date.parse(asOf), calendar, timeZone });
  expect(new Date(found.since).toISOString()).toBe(new Date(since).toISOString());
});
