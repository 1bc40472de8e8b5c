import { millisecondsInHour } from 'date-fns/constants';
import fc from 'fast-check';
import { expect, test } from '#jest';
import type { SprintQuestion } from '../../../src/api/answers/sprint/find-sprint.ts';
import type { SprintFigures } from '../../../src/api/answers/sprint/sprint-answer.ts';
import { sprintKind } from '../../../src/api/answers/sprint/sprint-kind.ts';
import type { Sprint } from '../../../src/model/directory.ts';
import type { Change, Instant, Issue } from '../../../src/model/issue.ts';
import { calendarOf } from '../../../src/time/calendar.ts';
import { runs } from '../../support/soak.ts';
import {
  ada,
  calendars,
  end,
  issueTypes,
  overLists,
  peopledReporting,
  someNature,
  someSteps,
  start,
  through,
  web,
  withNature,
  workflow,
} from './a-team.ts';
import { near, type SlowLife, slowLife, slowSpread, slowTime } from './slow-weeks.ts';
import { slowFlow, someFlows } from './some-flows.ts';
import { teamAnswers } from './team-answers.ts';

const FIELD = 'customfield_10020';
const LAST_HOUR = (end - start) / millisecondsInHour;
const instantOf = (hour: number): Instant => start + hour * millisecondsInHour;

/** Instants that meet now and then: the grid is that of many of them. */
const anHour = fc.oneof(
  fc.integer({ min: 0, max: LAST_HOUR }),
  fc.integer({ min: 0, max: LAST_HOUR / 168 }).map((week) => week * 168),
);

const someSprints = fc
  .uniqueArray(
    fc.record({
      from: anHour,
      hours: fc.integer({ min: 24, max: 700 }),
      state: fc.constantFrom('closed', 'closed', 'active', 'future'),
      late: fc.constantFrom(-5, 0, 30, null),
      board: fc.constantFrom('7', '7', '8'),
    }),
    { minLength: 1, maxLength: 5, selector: ({ from }) => from },
  )
  .map((all) =>
    all.map(
      ({ from, hours, state, late, board }, i): Sprint => ({
        ...{ id: String(i + 1), name: `Sprint ${i + 1}`, state, board },
        start: instantOf(from),
        end: instantOf(from + hours),
        completed: state === 'closed' && late !== null ? instantOf(from + hours + late) : null,
      }),
    ),
  );

/** An issue, what was done to it, and when it joined sprints (by number) and left them again. */
const aPlan = fc.record({
  steps: someSteps,
  ...someNature,
  first: fc.subarray([1, 2, 3, 4, 5]),
  toggles: fc.uniqueArray(fc.tuple(anHour, fc.integer({ min: 1, max: 5 })), {
    maxLength: 6,
    selector: ([hour]) => hour,
  }),
});

/** Of a closed sprint: when; it keeps its issues from then on. */
const closedAt = ({ state, completed, end: planned }: Sprint) =>
  state === 'closed' ? (completed ?? planned) : null;

interface PlannedIssue {
  readonly issue: Issue;
  /** Which sprints it was in at an instant. */
  readonly at: (instant: Instant) => ReadonlySet<string>;
}

function planned(
  number: number,
  { steps, first, toggles, ...nature }: typeof aPlan extends fc.Arbitrary<infer Plan> ? Plan : never,
  sprints: readonly Sprint[],
): PlannedIssue {
  const moved = withNature(through(number, ...steps), nature);
  const isOpen = (id: string, instant: Instant) =>
    sprints.some((one) => one.id === id && instant <= (closedAt(one) ?? Number.POSITIVE_INFINITY));
  let now = new Set(first.map(String).filter((id) => isOpen(id, moved.created)));
  const states = [{ from: Number.NEGATIVE_INFINITY, ids: now }];
  const asValue = (ids: ReadonlySet<string>) =>
    ids.size === 0
      ? null
      : { id: [...ids].join(', '), name: [...ids].map((id) => `Sprint ${id}`).join(', ') };
  const joined: Change[] = [];
  for (const [hour, sprint] of toggles.toSorted(([a], [b]) => a - b)) {
    const [at, id] = [instantOf(hour), String(sprint)];
    if (at <= moved.created || !isOpen(id, at)) continue;
    const next = new Set(now.has(id) ? [...now].filter((one) => one !== id) : [...now, id]);
    joined.push({
      entry: `s${hour}`,
      item: 0,
      at,
      field: FIELD,
      from: asValue(now),
      to: asValue(next),
      by: null,
    });
    now = next;
    states.push({ from: at, ids: now });
  }
  const changes = [...moved.changes, ...joined].toSorted((a, b) => a.at - b.at);
  const content = [...now].map((id) => ({ id, name: `Sprint ${id}` }));
  return {
    issue: {
      ...moved,
      changes,
      updated: changes.at(-1)?.at ?? moved.created,
      fields: { ...moved.fields, [FIELD]: content },
    },
    at: (instant) => states.findLast(({ from }) => from <= instant)?.ids ?? new Set(),
  };
}

test('every figure of a sprint and of those before it is the one that is counted out issue by issue', async () => {
  let seen = 0;
  await fc.assert(
    fc.asyncProperty(
      someSprints,
      fc.tuple(fc.array(aPlan, { maxLength: 12 }), someFlows),
      fc.constantFrom(null, ...calendars),
      fc.integer({ min: LAST_HOUR / 2, max: LAST_HOUR }),
      fc.constantFrom('id', 'name', 'last'),
      async (sprints, [plans, flows], calendar, hour, by) => {
        const asOf = instantOf(hour);
        const issues = plans.map((plan, i) => planned(i + 1, plan, sprints));
        const between =
          calendar === null ? (from: Instant, until: Instant) => until - from : calendarOf(calendar).between;
        const spans = sprints
          .flatMap(({ start: from, ...one }) => {
            const closed = closedAt(one as Sprint);
            if (one.state === 'future' || from === null || from > asOf) return [];
            const isRunning = closed === null || closed > asOf;
            return [{ ...one, from, until: isRunning ? asOf : closed, isRunning }];
          })
          .toSorted((a, b) => b.from - a.from);
        const ofWeb = issues.filter(({ issue }) => issue.created <= asOf);
        const own =
          by === 'last' && plans.length > 0
            ? spans.find(({ id }) => ofWeb.some(({ at }) => at(asOf).has(id)))
            : spans[0];
        fc.pre(own !== undefined);
        if (own === undefined) return;
        const question: SprintQuestion = {
          kind: 'sprint',
          sprint: by === 'id' ? own.id : by === 'name' ? own.name.toUpperCase() : null,
          selection: by === 'last' && plans.length > 0 ? web : null,
          ...{ calendar: calendar?.name ?? 'normalHours', timeZone: 'UTC' },
        };
        const reporting = peopledReporting(
          issues.map(({ issue }) => issue),
          () => end,
          { sprints, issueTypes },
          flows,
        );
        const { answers } = await teamAnswers({ reporting, now: () => end });
        const { value } = await answers.ask(sprintKind, ada, question, asOf);

        const expected = [
          own,
          ...spans.filter(({ board, from }) => board === own.board && from < own.from).slice(0, 5),
        ].map(({ id, name, from, until: whole, isRunning }) => {
          // A sprint that still runs is compared with as much of those before it.
          const until = own.isRunning ? Math.min(whole, from + own.until - own.from) : whole;
          const members = issues.filter(
            ({ issue, at }) => issue.created <= until && at(until).has(id) && slowFlow(flows, issue).counts,
          );
          const outcomes = members.map(({ issue }) =>
            slowLife(
              { ...issue, changes: issue.changes.filter(({ field }) => field === 'status') },
              until,
              between,
              flows,
            ),
          );
          const finished = outcomes.filter(
            ({ finishedAt }) => finishedAt !== null && finishedAt >= from && finishedAt <= until,
          );
          // None that is known, where some may be, is not 0.
          const maybe = ({ mayBeFinished, sinceUnknown, endedAt }: SlowLife) =>
            mayBeFinished || (sinceUnknown && (endedAt ?? from) >= from);
          const open = outcomes.filter((outcome) => outcome.open);
          return {
            ...{ id, name, start: from, end: until, running: isRunning },
            finished: finished.length === 0 && outcomes.some(maybe) ? null : finished.length,
            carriedOver: open.length === 0 && outcomes.some(({ unclear }) => unclear) ? null : open.length,
            added: members.filter(({ issue, at }) => issue.created > from || !at(from).has(id)).length,
            cycleTime: near(slowSpread(finished.flatMap(({ cycleMs }) => cycleMs ?? []))),
            withinMs: Object.fromEntries(
              workflow.flatMap(({ id: status }) => {
                const ms = outcomes.reduce(
                  (sum, outcome) =>
                    outcome.kindOf(status) === 'done'
                      ? sum
                      : sum + (slowTime(outcome, status, between, [from, until]) ?? 0),
                  0,
                );
                return ms > 0 ? [[status, ms]] : [];
              }),
            ),
          };
        });
        const shown = ({ cycleTime, ...rest }: SprintFigures) => ({ ...rest, cycleTime: near(cycleTime) });
        expect([value.sprint, ...value.previousSprints].map(shown)).toEqual(expected);
        seen += expected[0]?.finished ?? 0;
      },
    ),
    { numRuns: runs(240) },
  );
  expect(seen).toBeGreaterThan(0);
});

/** Some of what is known of an issue is lost: its history is cut somewhere, or its sprints contradict themselves. */
const aLoss = fc.record({
  from: fc.option(anHour),
  hours: fc.option(fc.integer({ min: 1, max: 400 })),
  isCut: fc.boolean(),
  isMixed: fc.boolean(),
});

test('one pass over columns says of sprints what is said issue by issue, whatever is lost of histories', async () => {
  let finished = 0;
  await fc.assert(
    fc.asyncProperty(
      someSprints,
      fc.array(fc.tuple(aPlan, aLoss), { minLength: 4, maxLength: 10 }),
      fc.integer({ min: LAST_HOUR / 2, max: LAST_HOUR }),
      async (sprints, plans, hour) => {
        const asOf = instantOf(hour);
        const issues = plans.map(([plan, { from, hours, isCut, isMixed }], i): Issue => {
          const { issue } = planned(i + 1, plan, sprints);
          const [first] = issue.changes.filter(({ field }) => field === FIELD);
          const changes =
            isMixed && first !== undefined
              ? [...issue.changes].filter((one) => one !== first)
              : issue.changes;
          const unknownFrom = from === null ? null : instantOf(from);
          const unknownUntil =
            hours === null ? null : (unknownFrom ?? issue.created) + hours * millisecondsInHour;
          return {
            ...issue,
            changes,
            history: isCut ? { complete: false, unknownFrom, unknownUntil, reason: 'cut' } : issue.history,
          };
        });
        const reporting = peopledReporting(issues, () => end, { sprints });
        const slow = overLists(reporting);
        for (const { id } of sprints) {
          const question: SprintQuestion = {
            ...{ kind: 'sprint', sprint: id, selection: null, calendar: 'normalHours', timeZone: 'UTC' },
          };
          const ask = async (port: typeof slow) => {
            const { answers } = await teamAnswers({ reporting: port, now: () => end });
            return (await answers.ask(sprintKind, ada, question, asOf)).value;
          };
          const failures: string[] = [];
          const answerOf = (port: typeof slow) =>
            ask(port).catch((error: Error) => void failures.push(error.message));
          const [quick, plain] = [await answerOf(reporting), await answerOf(slow)];
          expect(failures.length).not.toBe(1);
          expect(quick).toEqual(plain);
          finished += quick?.sprint.finished ?? 0;
        }
      },
    ),
    { numRuns: runs(32) },
  );
  expect(finished).toBeGreaterThan(0);
});
