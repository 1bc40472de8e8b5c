import { millisecondsInDay, millisecondsInHour } from 'date-fns/constants';
import fc from 'fast-check';
import { expect, test } from '#jest';
import { type CompareQuestion, compareSides } from '../../../src/api/answers/compare/compare-answer.ts';
import { flowKind } from '../../../src/api/answers/flow/flow-kind.ts';
import type { WeeklyQuestion } from '../../../src/api/answers/weekly/nine-weeks.ts';
import { weeklyAggregates } from '../../../src/api/answers/weekly/weekly-aggregates.ts';
import type { ReportingApi } from '../../../src/api/reporting/reporting-api.ts';
import { AppError } from '../../../src/model/error.ts';
import type { FieldValue, Issue } from '../../../src/model/issue.ts';
import type { AnyQuestion } from '../../support/any-question.ts';
import { principalOf } from '../../support/principal-of.ts';
import { runs } from '../../support/soak.ts';
import {
  ada,
  end,
  issueTypes,
  overLists,
  peopledReporting,
  someIssues,
  start,
  teamReporting,
  workflow,
} from './a-team.ts';
import { near } from './slow-weeks.ts';
import { someFlows } from './some-flows.ts';
import { aSide, teamAnswers } from './team-answers.ts';

/** Mostly nothing: few issues are odd. */
const seldom = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value | null> =>
  fc.oneof({ weight: 9, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: value });

/** What is odd about an issue: the tracker shows another status or another name of it, was updated later, is restricted. */
const anOddity = fc.record({
  shown: seldom(fc.constantFrom(...workflow.map(({ id }) => id), '9')),
  renamed: seldom(fc.constantFrom('Reviewing', 'Offen')),
  updatedLater: seldom(fc.integer({ min: 0, max: 900 })),
  restricted: seldom(fc.constant(true)),
  odd: seldom(fc.constantFrom('3', '5')),
  project: fc.constantFrom('WEB', 'APP'),
  assignees: fc.array(fc.constantFrom('ada', 'bob', null), { minLength: 1, maxLength: 3 }),
});

const person = (id: string | null): FieldValue | null =>
  id === null ? null : { id, name: id.toUpperCase() };

/** The team's issues with oddities, in two projects. */
const worlds = someIssues.chain((issues) =>
  fc.array(anOddity, { minLength: issues.length, maxLength: issues.length }).map((oddities) => {
    // Of a status that the tracker does not list any of its names will do; columns leave out those of such an issue.
    const isAnyOdd = oddities.some(({ odd }) => odd !== null);
    return issues.map((issue, i): Issue => {
      const oddity = oddities[i];
      if (oddity === undefined) return issue;
      const { shown, renamed, updatedLater, restricted, odd, project, assignees } = oddity;
      const name = (value: FieldValue) =>
        renamed === null || isAnyOdd || value.id !== '4' ? value : { id: value.id, name: renamed };
      const called = (id: string) =>
        (isAnyOdd ? workflow.find((one) => one.id === id)?.name : null) ?? `Status ${id}`;
      const status = name(shown === null ? issue.status : { id: shown, name: called(shown) });
      const updated = issue.updated + (updatedLater ?? 0) * millisecondsInHour;
      const people = assignees.map(person);
      const moves = people.slice(1).map((to, j) => ({
        ...{
          entry: `a${j}`,
          item: 0,
          at: issue.created + (j + 1) * 40 * millisecondsInHour,
          field: 'assignee',
        },
        ...{ from: people[j] ?? null, to, by: 'bob' },
      }));
      const assignee = people.at(-1) ?? null;
      return {
        ...issue,
        key: `${project}-${i + 1}`,
        project: { id: project, name: project },
        ...{ status, assignee, updated: Math.max(updated, ...moves.map(({ at }) => at)) },
        fields: {
          ...issue.fields,
          ...{ status, assignee },
          // What the issue is in and what its field says are two things.
          ...(odd === null ? {} : { status: { id: odd, name: called(odd) } }),
          ...(restricted === true ? { security: { id: '7', name: 'Secret' } } : {}),
        },
        changes: [
          ...issue.changes.map((change) => ({
            ...change,
            from: change.from === null ? null : name(change.from),
            to: change.to === null ? null : name(change.to),
          })),
          ...moves,
        ],
      };
    });
  }),
);

const instants = fc.integer({ min: start, max: end });
const calendar = fc.constantFrom('normalHours', 'Office', 'Nights');
const everything = { by: 'jql', jql: '' } as const;

/** What is read from columns is the same from the issues themselves. */
async function expectTheSame(port: ReportingApi, read: (reporting: ReportingApi) => Promise<unknown>) {
  expect(near(await read(port))).toEqual(near(await read(overLists(port))));
}

test('a week from columns is the week from the issues themselves', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.tuple(worlds, someFlows),
      instants,
      calendar,
      fc.constantFrom('this', 'last'),
      async ([issues, flows], asOf, hours, week) => {
        const port = teamReporting(issues, end, flows);
        const question: WeeklyQuestion = {
          ...{ kind: 'weekly', selection: everything, week, calendar: hours, timeZone: 'Europe/Berlin' },
        };
        await expectTheSame(port, (reporting) =>
          weeklyAggregates(question, { principal: ada, asOf, parts: { reporting } }),
        );
      },
    ),
    { numRuns: runs(100) },
  );
});

test('the flow from columns is the flow from the issues themselves', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.tuple(worlds, someFlows),
      instants,
      calendar,
      fc.constantFrom('UTC', 'America/New_York'),
      async ([issues, flows], asOf, hours, timeZone) => {
        const port = teamReporting(issues, end, flows);
        await expectTheSame(port, async (reporting) => {
          const question = { kind: 'flow', selection: everything, calendar: hours, timeZone } as const;
          const { answers } = await teamAnswers({ reporting, now: () => end });
          const { value: flow } = await answers.ask(flowKind, ada, question, asOf);
          // Issues that finished at once come in no order.
          const byKey = (a: { readonly key: string }, b: { readonly key: string }) =>
            a.key < b.key ? -1 : 1;
          return {
            ...flow,
            finishedIssues: flow.finishedIssues.toSorted(byKey),
            openIssues: flow.openIssues.toSorted(byKey),
            ageUnknown: flow.ageUnknown.toSorted(),
          };
        });
      },
    ),
    { numRuns: runs(100) },
  );
});

test('two sides from columns are the sides from the issues themselves', async () => {
  await fc.assert(
    fc.asyncProperty(worlds, someFlows, instants, calendar, async (issues, flows, asOf, hours) => {
      const port = teamReporting(issues, end, flows);
      const late = { by: 'jql', jql: 'assignee is EMPTY order by key' } as const;
      const from = start + 40 * millisecondsInDay;
      const question: CompareQuestion = {
        ...{ kind: 'compare', calendar: hours, timeZone: 'UTC' },
        sides: [
          aSide('All', everything),
          aSide('Late', late, { field: 'created', when: { by: 'dates', from, to: null } }),
        ],
      };
      await expectTheSame(port, (reporting) =>
        compareSides(question, { principal: ada, asOf, parts: { reporting } }),
      );
    }),
    { numRuns: runs(60) },
  );
});

const principals = fc.constantFrom(ada, principalOf('bob'));

test('answers from columns, and the lists behind them, are those from the issues themselves', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.tuple(worlds, someFlows),
      instants,
      fc.tuple(calendar, principals),
      fc.constantFrom('aging', 'backlog', 'mine', 'weekly'),
      async ([issues, flows], asOf, [hours, principal], kind) => {
        const measured = { calendar: hours, timeZone: 'Europe/Berlin' };
        const question: AnyQuestion = {
          mine: { kind: 'mine', ...measured } as const,
          aging: { kind: 'aging', selection: everything, ...measured } as const,
          backlog: { kind: 'aging', selection: everything, backlog: true, ...measured } as const,
          weekly: { kind: 'weekly', selection: everything, week: 'last', ...measured } as const,
        }[kind];
        const port = peopledReporting(issues, () => end, { issueTypes }, flows);
        await expectTheSame(port, async (reporting) => {
          const { answers } = await teamAnswers({ reporting, now: () => end });
          return settled(async () => ({
            answer: await answers.answer(principal, question, asOf),
            list: await answers.requestOf(principal, question, asOf),
            preview: (await answers.previewAssigned(principal, { kind: 'mine', ...measured })).ages,
          }));
        });
      },
    ),
    { numRuns: runs(100) },
  );
});

/** What came of it, be it a refusal. */
async function settled(task: () => Promise<unknown>): Promise<unknown> {
  try {
    return await task();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return [error.code, error.details];
  }
}
