import { yieldToOthers } from '../../../concurrency/cooperative-yield.ts';
import type { Explanation, FigureChoice, Week, WeeklyAggregates } from '../../../model/answer.ts';
import type { Instant } from '../../../model/issue.ts';
import type { Principal } from '../../../model/principal.ts';
import type { WeeklyQuestion } from '../../../model/question.ts';
import { ask } from '../../../model/request.ts';
import type { ReportingApi } from '../../reporting/reporting-api.ts';
import { finishedInWeek } from '../weekly/finished-in-week.ts';
import { nineWeeks } from '../weekly/nine-weeks.ts';
import { timeWithin } from '../weekly/weekly-aggregates.ts';
import { compose } from './compose.ts';
import { explainLives } from './explain-lives.ts';
import { type FigureName, figureId, shortName, unknownFigure } from './figure-id.ts';
import { issueParts, sharesOf, withoutShare } from './figure-parts.ts';

/** Issues finished, cycle times, and what each status was like in the week. */
export function weeklyFigures({ week, cycleTime, statuses }: WeeklyAggregates): readonly FigureChoice[] {
  return [
    { id: figureId('finished'), title: `Finished in ${week.id}` },
    ...(cycleTime.week.count === 0
      ? []
      : [
          { id: figureId('cycle', 'average'), title: 'Cycle time, average' },
          { id: figureId('cycle', 'median'), title: 'Cycle time, median' },
          { id: figureId('cycle', 'p85'), title: 'Cycle time, 85th percentile' },
        ]),
    ...statuses.flatMap(({ id, title, finished, within }) => [
      ...(finished.week.count === 0
        ? []
        : [{ id: figureId('average', shortName(id)), title: `Average time in ${title}` }]),
      ...(within.week === 0
        ? []
        : [{ id: figureId('within', shortName(id)), title: `Time in ${title} within the week` }]),
    ]),
  ];
}

/** Which issues a figure of a week is made of. */
export async function explainWeekly(
  figure: FigureName,
  question: WeeklyQuestion,
  principal: Principal,
  asOf: Instant,
  reporting: ReportingApi,
): Promise<Explanation> {
  if (figure.kind === 'within') return explainWithin(figure, question, principal, asOf, reporting);
  const { week, lives, maybe, unknown, all } = await finishedInWeek(question, principal, asOf, reporting);
  const { statuses, provenance } = all;
  await yieldToOthers();
  const called = `issues finished in ${week.id}`;
  return explainLives(figure, {
    lives,
    maybe,
    unknown,
    statuses,
    provenance,
    asOf,
    called,
    finishedCalled: `Finished in ${week.id}`,
  });
}

async function explainWithin(
  { words: [name] }: FigureName,
  { selection, calendar, timeZone, week: asked }: WeeklyQuestion,
  principal: Principal,
  asOf: Instant,
  reporting: ReportingApi,
): Promise<Explanation> {
  const { week }: { readonly week: Week } = nineWeeks(asked, { asOf, timeZone });
  const issues = { principal, selection, dateRange: null, asOf, calendar };
  const [within, list] = await Promise.all([
    timeWithin(week, issues, reporting),
    reporting.report(
      ask({
        ...issues,
        reportType: 'statusDuration',
        includeDeletedStatuses: true,
        trim: { from: week.start, to: week.end },
      }),
    ),
  ]);
  const column = list.columns.find(({ id, part }) => part === 'value' && shortName(id) === name);
  if (column === undefined) throw unknownFigure();
  await yieldToOthers();
  const shares = sharesOf(list, [column]);
  await yieldToOthers();
  const parts = issueParts(shares, 'duration');
  await yieldToOthers();
  return compose(
    {
      title: `Time in ${column.title} within ${week.id}`,
      value: { kind: 'duration', value: within.get(column.id) ?? 0 },
      rules: [
        'The time that all issues, finished or not, were in this status between the beginning and the end of the week is added up.',
        'A visit that began before the week or ended after it counts with what lies within.',
      ],
      parts,
      adds: true,
      denominator: { counted: shares.filter(({ value }) => value !== null).length, of: shares.length },
      excluded: withoutShare(shares.filter(({ facts }) => facts.unknown !== null)),
    },
    list.provenance,
    asOf,
  );
}
