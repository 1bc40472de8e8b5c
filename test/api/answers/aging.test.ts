import { millisecondsInDay, millisecondsInHour } from 'date-fns/constants';
import fc from 'fast-check';
import { expect, test } from '#jest';
import type { Aging } from '../../../src/api/answers/aging/aging-answer.ts';
import type { AgingQuestion } from '../../../src/api/answers/aging/aging-kind.ts';
import { agingKind } from '../../../src/api/answers/aging/aging-kind.ts';
import { mineKind } from '../../../src/api/answers/mine/mine-kind.ts';
import type { ReportingApi } from '../../../src/api/reporting/reporting-api.ts';
import type { Issue } from '../../../src/model/issue.ts';
import { calendarOf } from '../../../src/time/calendar.ts';
import { principalOf } from '../../support/principal-of.ts';
import { runs } from '../../support/soak.ts';
import {
  ada,
  at,
  calendars,
  cut,
  end,
  overLists,
  peopledReporting,
  someIssues,
  start,
  teamReporting,
  through,
  web,
  withPerson,
} from './a-team.ts';
import { type SlowLife, slowLife, slowSpread } from './slow-weeks.ts';
import { teamAnswers } from './team-answers.ts';

const question: AgingQuestion = { kind: 'aging', selection: web, calendar: 'normalHours', timeZone: 'UTC' };

async function agingOf(issues: readonly Issue[], asOf: number, own = question): Promise<Aging> {
  const { answers } = await teamAnswers({ reporting: teamReporting(issues, end), now: () => end });
  return (await answers.ask(agingKind, ada, own, asOf)).value;
}

/** Five issues that were in review for 2, 4, 6, 8 and 10 hours and then done: 85 % were there up to 8.8 hours. */
const reviewed = [2, 4, 6, 8, 10].map((hours, i) =>
  through(i + 1, '03-02T08:00 4', [at('03-02T08:00') + hours * millisecondsInHour, '5']),
);

/** Two in review, one in work that has no usual time, and two that are not started. */
const someOpen = [
  ...reviewed,
  through(6, '03-09T11:12 4'),
  through(7, '03-08T12:00 4'),
  through(8, '03-01T12:00 1'),
  through(9, '02-01T12:00 3'),
  through(10, '03-02T12:00 1'),
];

test('started issues come with those furthest beyond what is usual first, and the others are counted', async () => {
  const aging = await agingOf(someOpen, at('03-09T20:00'));
  const { issues, total, beyondUsual, notStarted, ageUnknown, provenance } = aging;
  const usual = { p85Ms: 31_680_000, visits: 5, days: 90 };
  expect(issues.map((one) => [one.key, one.ageMs, one.usual, one.pace])).toEqual([
    ['WEB-7', 32 * millisecondsInHour, usual, 32 / 8.8],
    ['WEB-6', 31_680_000, usual, 1],
    ['WEB-9', 36 * millisecondsInDay + 8 * millisecondsInHour, null, null],
  ]);
  expect([total, beyondUsual, ageUnknown, provenance.issues, provenance.complete]).toEqual([
    3,
    1,
    [],
    3,
    true,
  ]);
  expect(notStarted).toEqual({ count: 2, oldestMs: 8 * millisecondsInDay + 8 * millisecondsInHour });
  expect(issues[0]).toMatchObject({
    summary: 'Issue 7',
    project: 'WEB',
    status: { id: '4', name: 'Review', category: 'In Progress' },
    since: at('03-08T12:00'),
    assignee: null,
    historyComplete: true,
  });
});

test('with backlog issues that are not started are among the others, and of one person they come last', async () => {
  const keysOf = (aging: Aging) => aging.issues.map(({ key }) => key);
  const withBacklog = await agingOf(someOpen, at('03-09T20:00'), { ...question, backlog: true });
  expect(keysOf(withBacklog)).toEqual(['WEB-7', 'WEB-6', 'WEB-9', 'WEB-8', 'WEB-10']);
  expect([withBacklog.total, withBacklog.notStarted.count]).toEqual([5, 2]);
  const waited = [
    ...[1, 2, 3, 4, 5].map((number) => through(number, '03-02T08:00 1', '03-02T09:00 3', '03-02T10:00 5')),
    through(6, '03-09T08:00 1'),
    through(7, '03-09T19:00 3'),
  ].map((issue) => withPerson(issue, 'ada'));
  for (const port of [peopledReporting(waited, () => end), overLists(peopledReporting(waited, () => end))]) {
    const { answers } = await teamAnswers({ reporting: port, now: () => end });
    const mine = { kind: 'mine', calendar: 'normalHours', timeZone: 'UTC' } as const;
    const { value } = await answers.ask(mineKind, ada, mine, at('03-09T20:00'));
    expect(keysOf(value.own)).toEqual(['WEB-7', 'WEB-6']);
    const all = { ...question, backlog: true } as const;
    expect(keysOf((await answers.ask(agingKind, ada, all, at('03-09T20:00'))).value)).toEqual([
      'WEB-6',
      'WEB-7',
    ]);
  }
});

test('visits that ended more than ninety days ago tell nothing any more, and four are too few', async () => {
  const asOf = at('06-01T12:00');
  const [first] = reviewed;
  const waiting = through(9, [asOf - millisecondsInHour, '4']);
  const late = [1, 2, 3, 4].map((number) =>
    through(number + 20, [asOf - 2 * millisecondsInHour, '4'], [asOf - millisecondsInHour, '5']),
  );
  const usualOf = async (issues: readonly Issue[]) => {
    const reporting = teamReporting(issues, asOf);
    const { answers } = await teamAnswers({ reporting, now: () => asOf });
    return (await answers.ask(agingKind, ada, question, asOf)).value.issues[0]?.usual;
  };
  const edge = (ago: number) => through(30, [asOf - ago - millisecondsInHour, '4'], [asOf - ago, '5']);
  expect(first).toBeDefined();
  expect(await usualOf([waiting, ...late])).toBeNull();
  expect(await usualOf([waiting, ...late, edge(90 * millisecondsInDay + 1)])).toBeNull();
  expect(await usualOf([waiting, ...late, edge(90 * millisecondsInDay)])).toEqual({
    p85Ms: millisecondsInHour,
    visits: 5,
    days: 90,
  });
});

test('a visit counts by its own end, whatever the tracker says of when its issue was updated', async () => {
  const migrated = reviewed.map((issue) => ({
    ...issue,
    fields: { ...issue.fields, updated: at('03-02T08:00') - 200 * millisecondsInDay },
  }));
  const { issues } = await agingOf([...migrated, through(6, '03-09T11:12 4')], at('03-09T20:00'));
  expect(issues[0]?.usual).toEqual({ p85Ms: 31_680_000, visits: 5, days: 90 });
});

test('an issue beyond a usual stay of no time comes first, and has no share of it', async () => {
  const passed = [1, 2, 3, 4, 5].map((number) => through(number, '03-02T08:00 4', '03-02T08:00 5'));
  const { issues, beyondUsual: beyond } = await agingOf(
    [...passed, through(6, '03-03T08:00 4')],
    at('03-04T08:00'),
  );
  expect([issues.map(({ key, pace }) => [key, pace]), beyond]).toEqual([[['WEB-6', null]], 1]);
});

test('an issue whose cut history does not tell since when it waits is named, and has no age', async () => {
  const story = (number: number) => through(number, '03-01T08:00 1', '03-02T08:00 3', '03-03T08:00 4');
  const {
    issues,
    ageUnknown: unknown,
    provenance,
  } = await agingOf([cut(story(1), 1, 3), cut(story(2), 0, 1)], at('03-05T08:00'));
  expect([issues.map(({ key, ageMs, historyComplete }) => [key, ageMs, historyComplete]), unknown]).toEqual([
    [['WEB-2', 2 * millisecondsInDay, false]],
    ['WEB-1'],
  ]);
  expect(provenance).toMatchObject({ complete: false, issues: 2, cutHistories: 2 });
});

test('an issue that the tracker shows elsewhere than its last change says is named, and has no age', async () => {
  const issue = through(1, '03-01T08:00 1', '03-02T08:00 3');
  const review = { id: '4', name: 'Review' };
  const odd: Issue = { ...issue, status: review, fields: { ...issue.fields, status: review } };
  expect(await agingOf([odd], at('03-05T08:00'))).toMatchObject({ issues: [], ageUnknown: ['WEB-1'] });
});

/** Counts who learns what is usual, visit by visit. */
async function learning(issues: readonly Issue[]) {
  const learnt: string[] = [];
  let at = monday;
  const real = peopledReporting(issues, () => at);
  const reporting = overLists({
    ...real,
    async report(request) {
      if (request.reportType === 'statusDurationExpanded') learnt.push(request.principal.account);
      return real.report(request);
    },
  });
  const { answers } = await teamAnswers({ reporting, now: () => at, people: { ada: 'Ada', bob: 'Bob' } });
  return { answers, learnt, pass: (ms: number) => (at += ms) };
}

const monday = at('03-09T20:00');
const waits = withPerson(through(6, '03-03T08:00 4'), 'ada');
const bob = principalOf('bob');
const carl = principalOf('carl');

test('what is usual is not measured again within an hour, not even for another who sees the same', async () => {
  const { answers, learnt, pass } = await learning([...reviewed, waits]);
  await Promise.all([answers.answer(ada, question, null), answers.answer(bob, question, null)]);
  pass(59 * 60_000);
  await answers.answer(ada, question, null);
  // Which of the two own first is not promised.
  expect(learnt).toHaveLength(1);
  pass(60_000);
  await answers.answer(bob, question, null);
  expect(learnt.slice(1)).toEqual(['bob']);
});

test('from columns what is usual is learned in one pass for all who see the same, and not again within an hour', async () => {
  let now = monday;
  const dan = principalOf('dan');
  const passes: string[] = [];
  const security = { id: '1', name: 'Secret' };
  const secret = withPerson(through(8, '03-02T08:00 4', '03-02T09:00 5'), 'carl');
  const hidden = { ...secret, fields: { ...secret.fields, security } };
  const port = peopledReporting([...reviewed, waits, hidden], () => now);
  const reporting: ReportingApi = {
    ...port,
    endedVisits(input) {
      passes.push(input.principal.account);
      return port.endedVisits(input);
    },
  };
  const { answers } = await teamAnswers({ reporting, now: () => now });
  await answers.answer(dan, question, null);
  now += 59 * 60_000;
  const [first, second] = await Promise.all([
    answers.answer(dan, question, null),
    answers.answer(bob, question, null),
  ]);
  expect(first.value).toMatchObject({ issues: [{ usual: { visits: 5 } }] });
  expect(second.value).toEqual(first.value);
  expect(passes).toEqual(['dan']);
  const { value } = await answers.ask(agingKind, carl, question);
  expect(value.issues[0]?.usual?.visits).toBe(6);
  expect(passes).toEqual(['dan', 'carl']);
});

test('a preview has ages first, then compares them with what is usual', async () => {
  const { answers, learnt, pass } = await learning([...reviewed, waits]);
  await answers.answer(bob, question, null);
  pass(59 * 60_000);
  const mine = { kind: 'mine', calendar: 'normalHours', timeZone: 'UTC' } as const;
  const first = await answers.previewAssigned(ada, mine);
  expect(first.ages.own).toMatchObject({
    beyondUsual: 0,
    issues: [{ key: 'WEB-6', usual: null, pace: null }],
  });
  expect((await first.withBaseline()).own).toMatchObject({
    beyondUsual: 1,
    issues: [{ usual: { visits: 5 } }],
  });
  expect(learnt).toEqual(['bob']);
  pass(60_000);
  await (await answers.previewAssigned(ada, mine)).withBaseline();
  expect(learnt).toEqual(['bob', 'ada']);
});

test('a failure is not remembered', async () => {
  const real = teamReporting([...reviewed, through(6, '03-03T08:00 4')], end);
  let failures = 1;
  const reporting = overLists({
    ...real,
    async report(request) {
      if (request.reportType === 'statusDurationExpanded' && failures-- > 0) throw new Error('away');
      return real.report(request);
    },
  });
  const { answers } = await teamAnswers({ reporting, now: () => at('03-09T20:00') });
  await expect(answers.answer(ada, question, null)).rejects.toThrow('away');
  expect((await answers.answer(ada, question, null)).value).toMatchObject({ beyondUsual: 1 });
});

test('ages and what is usual are what the changes say, counted out one by one', async () => {
  const everything = { by: 'jql', jql: '' } as const;
  await fc.assert(
    fc.asyncProperty(
      someIssues,
      fc.constantFrom('normalHours', '1', '2'),
      fc.integer({ min: start / millisecondsInHour, max: end / millisecondsInHour }),
      async (stories, calendar, hour) => {
        const asOf = hour * millisecondsInHour;
        const issues = stories.map((issue) => ({
          ...issue,
          changes: issue.changes.map((change) => ({ ...change, by: 'bob' })),
        }));
        const definition = calendars.find(({ id }) => String(id) === calendar);
        const between =
          definition === undefined
            ? (from: number, until: number) => until - from
            : calendarOf(definition).between;
        const outcomes = issues
          .filter(({ created }) => created <= asOf)
          .map((issue) => ({ issue, outcome: slowLife(issue, asOf, between) }));
        const expected = outcomes.flatMap(({ outcome: { key, open, lasting, stays } }) => {
          const last = stays.at(-1);
          return open && lasting && last !== undefined ? [[key, last.id, between(last.from, asOf)]] : [];
        });
        const own = { ...question, selection: everything, calendar };
        const started = await agingOf(issues, asOf, own);
        const {
          issues: found,
          ageUnknown: unknown,
          unclear,
          notStarted,
        } = await agingOf(issues, asOf, { ...own, backlog: true });
        const backlog = found.filter(({ status }) => status.category === 'To Do');
        expect(started.notStarted).toEqual(notStarted);
        expect(started.issues).toEqual(found.filter((issue) => !backlog.includes(issue)));
        expect([started.total, started.beyondUsual]).toEqual([
          started.issues.length,
          started.issues.filter(({ ageMs, usual: baseline }) => baseline !== null && ageMs > baseline.p85Ms)
            .length,
        ]);
        expect(notStarted.oldestMs).toBe(
          backlog.length === 0 ? null : Math.max(...backlog.map(({ ageMs }) => ageMs)),
        );
        const notStartedUnknown = unknown.filter((key) => !started.ageUnknown.includes(key));
        expect(notStarted.count).toBe(backlog.length + notStartedUnknown.length);
        expect(found.map(({ key, ageMs, status }) => [key, status.id, ageMs]).toSorted()).toEqual(
          expected.toSorted(),
        );
        expect(
          unknown.every((key) => outcomes.some(({ outcome }) => outcome.key === key && outcome.cut)),
        ).toBe(true);
        expect([...unknown, ...unclear.map(({ key }) => key)].toSorted()).toEqual(
          outcomes
            .filter(({ outcome }) => !outcome.finished && !(outcome.open && outcome.lasting))
            .map(({ outcome }) => outcome.key)
            .toSorted(),
        );
        for (const { status, usual: baseline } of found) {
          const spread = slowSpread(
            outcomes
              .flatMap(({ issue, outcome }) => endedStays(issue, outcome))
              .filter(({ id, until }) => id === status.id && until >= asOf - 90 * millisecondsInDay)
              .map(({ from, until }) => between(from, until)),
          );
          expect([baseline?.visits ?? 0, baseline?.p85Ms ?? null]).toEqual(
            spread.count < 5 ? [0, null] : [spread.count, expect.closeTo(spread.p85Ms ?? 0, 3)],
          );
        }
      },
    ),
    { numRuns: runs(100) },
  );
});

/** Stays that are known from their beginning to their end: the last one lasts, or a cut history ends in it. */
function endedStays({ history }: Issue, { stays, lasting, unknown }: SlowLife): SlowLife['stays'] {
  const cutAt = history.complete || !unknown ? null : history.unknownFrom;
  const known = stays.filter(({ from, until }) => !(from === until && from === cutAt));
  return lasting ? known.slice(0, -1) : known;
}
