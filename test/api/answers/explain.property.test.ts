import { millisecondsInHour } from 'date-fns/constants';
import fc from 'fast-check';
import { afterEach, expect, test } from '#jest';
import { sprintKind } from '../../../src/api/answers/sprint/sprint-kind.ts';
import type { Explanation } from '../../../src/model/answer.ts';
import type { Sprint } from '../../../src/model/directory.ts';
import type { ReportQuestion } from '../../../src/model/question.ts';
import { aggregationTypes, multiVisitBehaviors, type ReportRequest } from '../../../src/model/request.ts';
import { aDelegation } from '../../support/a-delegation.ts';
import { type AnyQuestion, figuresOf } from '../../support/any-question.ts';
import { closeLocalRecords } from '../../support/local-records.ts';
import { runs } from '../../support/soak.ts';
import { anOffice } from '../delegations/an-office.ts';
import {
  ada,
  end,
  issueTypes,
  peopledReporting,
  someIssues,
  start,
  withPerson,
  withSprint,
} from './a-team.ts';
import { shownFigure } from './shown-figure.ts';
import { slowSpread } from './slow-weeks.ts';
import { someFlows } from './some-flows.ts';
import { aReport, aSide, teamAnswers } from './team-answers.ts';

const everything = { by: 'jql', jql: '' } as const;

const aStatistic: fc.Arbitrary<ReportRequest['statistic']> = fc.record({
  type: fc.constantFrom(...aggregationTypes),
  denominator: fc.constantFrom('nonNull', 'all'),
  deviation: fc.constantFrom('population', 'sample'),
  percentile: fc.constantFrom(0, 50, 85, 100),
});

const someReport: fc.Arbitrary<ReportQuestion> = fc
  .record({
    reportType: fc.constantFrom(
      'statusDuration',
      'statusDuration',
      'currentStateAge',
      'statusCount',
      'transitionCount',
      'assigneeDurationByStatus',
    ),
    statistic: fc.option(aStatistic),
    groupBy: fc.constantFrom<readonly string[]>([], ['assignee'], ['status', 'assignee']),
    multiVisitBehavior: fc.constantFrom(...multiVisitBehaviors),
    calendar: fc.constantFrom('normalHours', '1', '2'),
    statuses: fc.constantFrom<readonly string[] | null>(null, null, ['3', '4']),
    trim: fc.constantFrom(
      { from: null, to: null },
      { from: start + 500 * millisecondsInHour, to: end - 900 * millisecondsInHour },
    ),
  })
  .map((request) => aReport({ selection: everything, ...request }));

const measured = fc.record({
  calendar: fc.constantFrom('normalHours', '1', '2'),
  timeZone: fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York'),
});

const aQuestion: fc.Arbitrary<AnyQuestion> = measured.chain((hours) =>
  fc.oneof(
    fc.constant<AnyQuestion>({ kind: 'issue', key: 'WEB-1', ...hours }),
    someReport,
    fc
      .constantFrom('last' as const, 'this' as const)
      .map((week): AnyQuestion => ({ kind: 'weekly', week, selection: everything, ...hours })),
    fc.constant<AnyQuestion>({ kind: 'sprint', sprint: '1', selection: null, ...hours }),
    fc.constant<AnyQuestion>({ kind: 'aging', selection: everything, ...hours }),
    fc.constant<AnyQuestion>({ kind: 'mine', ...hours }),
    fc.constant<AnyQuestion>({
      kind: 'compare',
      sides: [
        aSide('All', everything),
        aSide('Early ones', everything, {
          field: 'created',
          when: { by: 'dates', from: null, to: start + 600 * millisecondsInHour },
        }),
      ],
      ...hours,
    }),
  ),
);

const aSprint: Sprint = {
  ...{ id: '1', name: 'Sprint 1', state: 'closed', board: null },
  ...{ start, end: null, completed: start + 1_200 * millisecondsInHour },
};

/** Flows in which a status means the same for all issues: the parts of a flow efficiency are statuses. */
const flowsOfOneKind = someFlows.map((flows) =>
  flows.map((one) => ({
    ...one,
    versions: one.versions.map((version) => ({
      ...version,
      flow: version.flow === null ? null : { ...version.flow, variants: [] },
    })),
  })),
);

/** The figure that the parts of an explanation make, where they are told one by one. */
function fromParts(id: string, question: AnyQuestion, { parts, denominator }: Explanation): number | null {
  const counted = parts.flatMap(({ countedMs, note }) => {
    const [, count] = /^counts (\d+(?:\.\d+)?)$/.exec(note ?? '') ?? [];
    return countedMs ?? (count === undefined ? [] : [Number(count)]);
  });
  const sum = counted.reduce((a, b) => a + b, 0);
  const [kind, which, ...words] = id.split(':');
  const spread = slowSpread(counted);
  switch (kind) {
    case 'flowEfficiency': {
      const active = parts.flatMap(({ countedMs, note }) => (note === 'active' ? [countedMs ?? 0] : []));
      return (100 * active.reduce((a, b) => a + b, 0)) / sum;
    }
    case 'finished':
    case 'inProgress':
    case 'carriedOver':
    case 'added':
      return parts.length;
    case 'usual':
      return spread.p85Ms;
    case 'target':
      // One that was set is not made of times.
      return words.length === 0 ? spread.p85Ms : Number(words[1]);
    case 'missed':
    case 'finishedWithin':
      return parts.filter(({ note }) => (kind === 'missed') === /^missed/.test(note ?? '')).length;
    case 'averageMs':
      return spread.averageMs;
    case 'cycleTime':
      return which === 'averageMs' ? spread.averageMs : which === 'medianMs' ? spread.medianMs : spread.p85Ms;
    case 'cell': {
      const statistic = question.kind === 'report' ? question.request.statistic : null;
      return statistic === null ? null : condensed(statistic, counted, denominator?.counted ?? 0);
    }
    default:
      return sum;
  }
}

function condensed(
  { type, deviation, percentile }: NonNullable<ReportRequest['statistic']>,
  counted: readonly number[],
  count: number,
): number | null {
  const sum = counted.reduce((a, b) => a + b, 0);
  const sorted = counted.toSorted((a, b) => a - b);
  const rank = (share: number) => {
    const rank = (sorted.length - 1) * share;
    const [low = 0, high = low] = [sorted[Math.floor(rank)], sorted[Math.ceil(rank)]];
    return low + (high - low) * (rank - Math.floor(rank));
  };
  switch (type) {
    case 'sum':
      return sum;
    case 'average':
      return sum / count;
    case 'median':
      return rank(0.5);
    case 'percentile':
      return rank(percentile / 100);
    case 'standardDeviation': {
      const all = [...counted, ...Array.from({ length: count - counted.length }, () => 0)];
      const squares = all.reduce((total, value) => total + (value - sum / count) ** 2, 0);
      return Math.sqrt(squares / (deviation === 'sample' ? count - 1 : count));
    }
  }
}

afterEach(closeLocalRecords);

test('every figure is explained as it is shown, and its parts make it', async () => {
  const { api: delegations, world } = await anOffice();
  world.delegations = [
    aDelegation('bob').to('ada').from('2026-01-01T00:00Z').until('2026-12-01T00:00Z').delegation,
  ];
  await fc.assert(
    fc.asyncProperty(
      someIssues,
      fc.array(fc.constantFrom('ada', 'bob', null), { minLength: 14, maxLength: 14 }),
      aQuestion,
      fc.integer({ min: start / millisecondsInHour, max: end / millisecondsInHour }),
      flowsOfOneKind,
      async (stories, people, question, hour, flows) => {
        const asOf = hour * millisecondsInHour + 1_234;
        // A third of them join the sprint while it runs.
        const issues = stories.map((issue, i) =>
          withSprint(
            withPerson(issue, people[i] ?? null),
            i % 3 === 0 ? start + 90 * i * millisecondsInHour : start,
          ),
        );
        fc.pre(
          question.kind !== 'issue' || issues.some(({ key, created }) => key === 'WEB-1' && created <= asOf),
        );
        const { answers } = await teamAnswers({
          reporting: peopledReporting(issues, () => end, { sprints: [aSprint], issueTypes }, flows),
          now: () => end,
          delegations,
        });
        const answer = await answers.answer(ada, question, asOf, { start: 0, size: 50 });
        const figures = answers.figures(answer);
        if (question.kind === 'sprint') {
          const { doneSinceUnknown, unclear } = figuresOf(sprintKind, answer);
          const { excluded } = await answers.explain(ada, question, asOf, 'finished');
          const unknown = [...doneSinceUnknown, ...unclear].map(({ key }) => key);
          expect(excluded.map(({ key }) => key)).toEqual(unknown);
        }
        expect(new Set(figures.map(({ id }) => id)).size).toBe(figures.length);
        for (const choice of figures) {
          expect(choice.id.length).toBeLessThanOrEqual(75);
          const explanation = await answers.explain(ada, question, asOf, choice.id);
          const { value, parts, more, denominator } = explanation;
          expect([choice.title, value?.value ?? undefined]).toEqual([
            choice.title,
            shownFigure(answer, choice) ?? undefined,
          ]);
          expect(explanation.asOf).toBe(asOf);
          expect(parts.length).toBeLessThanOrEqual(30);
          if (denominator !== null) expect(denominator.counted).toBeLessThanOrEqual(denominator.of);
          if (more > 0 || value === null) continue;
          expect([choice.title, fromParts(choice.id, question, explanation)]).toEqual([
            choice.title,
            expect.closeTo(value.value, 3),
          ]);
        }
      },
    ),
    { numRuns: runs(80) },
  );
});
