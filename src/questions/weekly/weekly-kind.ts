import type { WeeklyAggregates } from '../../model/answer.ts';
import type { Question } from '../../model/question.ts';
import type { Selection } from '../../model/request.ts';
import { periodAt } from '../../time/periods.ts';
import { ofProject, statusTimesOf } from '../figures/list-request.ts';
import { mergeScopes, reaches } from '../figures/read-table.ts';
import type { QuestionKind } from '../kind.ts';
import { countOf } from '../view/figure-words.ts';
import { issuesText } from '../view/subject-words.ts';
import { explainWeekly, weeklyFigures } from './explain-weekly.ts';
import { keysFinishedInWeek } from './finished-in-week.ts';
import { needsAttention } from './needs-attention.ts';
import type { WeeklyQuestion } from './nine-weeks.ts';
import { readWeekly } from './read-weekly.ts';
import { weeklyAggregates } from './weekly-aggregates.ts';
import { weeklyView } from './weekly-view.ts';

/** `/tis weekly [FILTER] [this week|2026-W46] [in CALENDAR]`. */
export const weeklyKind: QuestionKind<WeeklyQuestion, WeeklyAggregates> = {
  kind: 'weekly',
  builderTitle: 'Weekly summary',
  commands: [
    {
      word: 'weekly',
      usage: '/tis weekly [FILTER] [this week|2026-W46] [in CALENDAR]',
      summary: 'weekly summary: throughput, cycle time and time in status vs. previous weeks',
      examples: ['/tis weekly WEB', '/tis weekly WEB this week', '/tis weekly WEB W46'],
      details:
        "Without a week it is the last whole one; weeks begin on Monday in the channel's time zone. Without a FILTER it covers the projects chosen for this channel, else the project where most of your issues are.",
      tries: ({ project }) => [`/tis weekly ${project}`, `/tis weekly ${project} this week`],
    },
  ],
  read: readWeekly,
  builder: ({ selection, calendar, week, timeZone }) => ({
    report: 'weekly',
    filter: selection,
    calendar,
    week: typeof week === 'number' ? middleOf(week, timeZone) : week,
  }),
  ofBuilder: ({ filter: { selection }, week, calendar, timeZone }): WeeklyQuestion => ({
    kind: 'weekly',
    ...{ selection, week, calendar, timeZone },
  }),
  selections: ({ selection }) => [selection],
  ranges: () => [],
  whyFixed: ({ week }) =>
    typeof week === 'number'
      ? 'A digest would show the same week every time. Try: last week or this week.'
      : null,
  async answer(question, context) {
    const { principal, asOf, parts } = context;
    const week = await weeklyAggregates(question, principal, asOf, parts);
    const { issues, scope } = await needsAttention(question, week.week, context);
    return {
      value: { ...week, attention: issues },
      contents: mergeScopes(week.provenance.contents ?? null, scope),
    };
  },
  isEmpty: ({ finished, statuses, doubts, attention, provenance, week }) =>
    finished.week === 0 &&
    attention.length === 0 &&
    statuses.every(({ within }) => within.week === 0) &&
    doubts.sinceUnknown.length + doubts.unclear.length + provenance.undecided === 0 &&
    reaches(provenance, week.end),
  withProvenance: (value, change) => ({ ...value, provenance: change(value.provenance) }),
  issuesBehind({ selection }, { attention }, about) {
    // What is usual comes from all issues of a project.
    const projects = [...new Set(attention.map(({ project }) => project))];
    return [about(selection), ...projects.map((project) => about({ by: 'project', project }))];
  },
  title: ({ selection }) => `the week of ${issuesText(selection)}`,
  view: weeklyView,
  figures: weeklyFigures,
  explain: (figure, question, { principal, asOf, parts }) =>
    explainWeekly(figure, question, principal, asOf, parts.reporting),
  async file(question, context) {
    const { principal, asOf, parts } = context;
    const { week, keys } = await keysFinishedInWeek(question, principal, asOf, parts.reporting);
    const title = finishedTitle(keys.length, question.selection, week.id);
    return statusTimesOf(keys, { calendar: question.calendar, title }, context);
  },
};

/** Whether a question is about a week, whose figures are a file of their own. */
export function isWeeklyQuestion(question: Question): question is WeeklyQuestion {
  return question.kind === weeklyKind.kind;
}

/** `6 issues of WEB finished in week 46 of 2026`. */
export function finishedTitle(count: number, selection: Selection, week: string): string {
  const [year, number] = week.split('-W');
  return `${countOf(count, 'issue')}${ofProject(selection)} finished in week ${Number(number)} of ${year}`;
}

/** An instant that is in the same ISO week in every time zone. */
function middleOf(week: number, timeZone: string): number {
  const { start, end } = periodAt(week, 'Week', timeZone);
  return (start + end) / 2;
}
