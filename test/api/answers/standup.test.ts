import { millisecondsInDay, millisecondsInHour } from 'date-fns/constants';
import { expect, test } from '#jest';
import type { Standup } from '../../../src/api/answers/standup/standup-answer.ts';
import type { IssueReason } from '../../../src/api/nudges/nudges-api.ts';
import { AppError } from '../../../src/model/error.ts';
import type { ProjectFlow } from '../../../src/model/flow.ts';
import type { Issue } from '../../../src/model/issue.ts';
import { aDelegation } from '../../support/a-delegation.ts';
import { anOffice } from '../delegations/an-office.ts';
import { ada, cut, issueTypes, peopledReporting, through, web, withPerson } from './a-team.ts';
import { flowOfWeb } from './some-flows.ts';
import { teamAnswers } from './team-answers.ts';

/** A Monday. */
const now = Date.parse('2026-03-16T20:00:00Z');
const at = (day: string, hour = 0) => Date.parse(`2026-${day}T00:00:00Z`) + hour * millisecondsInHour;

/** A flow of WEB in which an issue is to be done within two days. */
const within2Days = (pauses = false) =>
  flowOfWeb({ 1: 'queue', 3: 'active', 5: 'done' }, { pauses, target: { percent: 85, days: 2 } });

async function standupOf(
  issues: readonly Issue[],
  {
    flows = [],
    timeZone = 'UTC',
    asOf = now,
    ...parts
  }: {
    readonly flows?: readonly ProjectFlow[];
    readonly timeZone?: string;
    readonly asOf?: number;
  } & Partial<
    Pick<Parameters<typeof teamAnswers>[0], 'reasonsFor' | 'delegations' | 'people' | 'zones'>
  > = {},
): Promise<Standup> {
  const reporting = peopledReporting(issues, () => now, { issueTypes }, flows);
  const { answers } = await teamAnswers({ reporting, now: () => now, ...parts });
  const question = { kind: 'standup', selection: web, calendar: 'normalHours', timeZone } as const;
  return (await answers.answer(ada, question, asOf)).value as Standup;
}

const keys = (some: { readonly issues: readonly { readonly key: string }[] } | null) =>
  some?.issues.map(({ key }) => key);

test('those that reach their target first come first, whatever their numbers', async () => {
  const issues = [23, 22, 21, 23.5].map((hour, i) => through(i + 1, [at('03-14', hour), '3']));
  const { due, dueToday, missed } = await standupOf(issues, { flows: within2Days() });
  expect([keys(due), dueToday, missed]).toEqual([['WEB-3', 'WEB-2', 'WEB-1', 'WEB-4'], 4, 0]);
});

test('a target that was missed on the weekend is news on Monday, one missed before is not', async () => {
  const issues = [through(1, [at('03-12', 12), '3']), through(2, [at('03-10', 12), '3'])];
  const { due, dueToday, missed } = await standupOf(issues, { flows: within2Days() });
  expect([keys(due), dueToday, missed]).toEqual([['WEB-1'], 0, 2]);
});

test('a clock that stood still since is as late as it was then', async () => {
  const paused = through(
    1,
    [at('03-09'), '1'],
    [at('03-09', 12), '3'],
    [at('03-12', 0), '1'],
    [at('03-16', 19), '3'],
  );
  const { due, missed } = await standupOf([paused], { flows: within2Days(true) });
  expect([keys(due), missed]).toEqual([[], 1]);
});

test('an issue of which it is unknown whether it is open is named once', async () => {
  const { unclear } = await standupOf([through(1, [at('03-16', 9), '2'])]);
  expect(unclear.map(({ key }) => key)).toEqual(['WEB-1']);
});

test('one whose assignee answered that it is blocked is blocked, as long as it is where it was', async () => {
  const reason = (key: string, since: number): IssueReason => ({
    ...{ key, kind: 'blocked', reason: 'waiting for the bank', at: at('03-16', 8) },
    ...{ person: { id: 'bob', name: 'Bob' }, visit: { statusId: '3', since } },
  });
  const begun = at('03-10');
  const { blocked } = await standupOf([through(1, [begun, '3']), through(2, [begun, '3'])], {
    reasonsFor: async (some) =>
      new Map(some.map((key) => [key, reason(key, key === 'WEB-1' ? begun : begun - 1)])),
  });
  expect(blocked).toMatchObject({ count: 1, issues: [{ key: 'WEB-1', blockedMs: 12 * millisecondsInHour }] });
});

test('the work of a person who is away has what a cut history does not date, and their day is that of their zone', async () => {
  const office = await anOffice();
  // Midnight in New York.
  const away = aDelegation('bob').to('carl').from('2026-03-16T04:00Z').until('2026-03-17T04:00Z');
  await office.records.add(away.wish, 'bob');
  const issues = [
    withPerson(through(1, [at('03-10'), '3']), 'bob'),
    withPerson(cut(through(2, [at('03-10'), '1'], [at('03-11'), '3']), 0, 1), 'bob'),
  ];
  const people = { bob: 'Bob', carl: 'Carl' };
  const { away: found } = await standupOf(issues, {
    ...{ delegations: office.api, people, zones: { bob: 'America/New_York' } },
  });
  expect(found).toMatchObject({
    count: 1,
    people: [
      {
        person: { name: 'Bob' },
        covers: [{ category: null, delegates: [{ name: 'Carl' }] }],
        waiting: { count: 2 },
        lastDay: '2026-03-16',
      },
    ],
  });
});

test('a register that cannot be reached leaves unknown who is away', async () => {
  const { api } = await anOffice();
  const absences = async () => {
    throw new AppError('service-unavailable', 'The register does not answer.');
  };
  const { coverShown, away } = await standupOf([through(1, [now - millisecondsInDay, '3'])], {
    delegations: { ...api, absences },
  });
  expect([coverShown, away.count]).toEqual(['unknown', 0]);
});
