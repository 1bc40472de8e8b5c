import type { ReportingApi } from '../../api/reporting/reporting-api.ts';
import { yieldToOthers } from '../../concurrency/cooperative-yield.ts';
import type { Explanation, FigureChoice, WeeklyAggregates } from '../../model/answer.ts';
import type { Instant } from '../../model/issue.ts';
import type { Principal } from '../../model/principal.ts';
import { cycleFigures, explainLives } from '../why/explain-lives.ts';
import { explainWithin } from '../why/explain-within.ts';
import { type FigureName, figureId, shortName } from '../why/explanation.ts';
import { finishedInWeek } from './finished-in-week.ts';
import { nineWeeks, type WeeklyQuestion } from './nine-weeks.ts';

/** Issues finished, cycle times, and what each status was like in the week. */
export function weeklyFigures({ week, cycleTime, statuses }: WeeklyAggregates): readonly FigureChoice[] {
  return [
    { id: figureId('finished'), title: `Finished in ${week.id}` },
    ...cycleFigures(cycleTime.week),
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
  if (figure.kind === 'within') {
    const { selection, calendar, timeZone, week: asked } = question;
    const { week } = nineWeeks(asked, { asOf, timeZone });
    const issues = { principal, selection, dateRange: null, asOf, calendar };
    return explainWithin(figure, { ...week, called: week.id, kind: 'week' }, issues, reporting);
  }
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
