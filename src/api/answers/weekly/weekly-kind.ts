import type { Question } from '../../../model/question.ts';
import type { AudienceScope, Selection } from '../../../model/request.ts';
import { countOf } from '../../../output/figure-words.ts';
import { emptyScope, mergeScopes, reaches } from '../../outcomes/read-table.ts';
import type { AgingIssue } from '../aging/aging-answer.ts';
import { measureAging, withReasons } from '../figures/aging-figures.ts';
import { type AnswerContext, ofProject, type QuestionKind, statusTimesOf } from '../question-kind.ts';
import { explainWeekly, weeklyFigures } from './explain-weekly.ts';
import { finishedInWeek, nineWeeks, type WeeklyQuestion } from './nine-weeks.ts';
import { measureWeek, weekTarget } from './weekly-aggregates.ts';
import { type Week, type WeeklyAggregates, weeklySchema } from './weekly-answer.ts';

/** `/tis weekly [FILTER] [this week|2026-W46] [in CALENDAR]`. */
export const weeklyKind: QuestionKind<WeeklyQuestion, WeeklyAggregates> = {
  kind: 'weekly',
  selections: ({ selection }) => [selection],
  async answer(question, context) {
    const measured = await measureWeek(question, context);
    const { value: week } = measured;
    const { target, scope: learnedScope } = await weekTarget(question, measured, context);
    const { issues, scope } = await needsAttention(question, week.week, context);
    return {
      value: { ...week, target, attention: issues },
      contents: [learnedScope, scope].reduce(mergeScopes, week.provenance.contents ?? null),
    };
  },
  isEmpty: ({ finished, statuses, doneSinceUnknown, unclear, attention, provenance, week }) =>
    finished.week === 0 &&
    attention.length === 0 &&
    statuses.every(({ withinMs: within }) => within.week === 0) &&
    doneSinceUnknown.length + unclear.length + provenance.undecided === 0 &&
    reaches(provenance, week.end),
  withProvenance: (value, change) => ({ ...value, provenance: change(value.provenance) }),
  issuesBehind({ selection }, { attention, target }, about) {
    // The usual time comes from all issues of a project, and so does a target that is learned.
    const learned = target === null || target.source === 'set' ? [] : [target.project];
    const projects = [...new Set([...attention.map(({ project }) => project), ...learned])];
    return [about(selection), ...projects.map((project) => about({ by: 'project', project }))];
  },
  document: {
    schema: weeklySchema,
    // Issues that need attention are as of now, whenever the week was.
    facts: ({ provenance, week, attention }) => ({
      provenance,
      until: attention.length === 0 ? week.end : null,
    }),
  },
  figures: weeklyFigures,
  explain: explainWeekly,
  async file(question, context) {
    const { week, span } = await finishedInWeek(question, context);
    const keys = span.issues().map(({ key }) => key);
    const title = finishedTitle(keys.length, question.selection, week.id);
    return statusTimesOf(keys, { calendar: question.calendar, title }, context);
  },
};

/** A question is about a week, whose figures are a file of their own. */
export function isWeeklyQuestion(question: Question): question is WeeklyQuestion {
  return question.kind === weeklyKind.kind;
}

/** `6 issues of WEB finished in week 46 of 2026`. */
function finishedTitle(count: number, selection: Selection, week: string): string {
  const [year, number] = week.split('-W');
  return `${countOf(count, 'issue')}${ofProject(selection)} finished in week ${Number(number)} of ${year}`;
}

/** The most issues of a summary. */
const MAX_ISSUES = 3;

/**
 * The started issues furthest beyond what is usual as of the answer, and the scope of that. They show nothing about a week
 * before the last one, so there are none then.
 */
async function needsAttention(
  { selection, calendar, timeZone }: WeeklyQuestion,
  { start }: Week,
  context: AnswerContext,
): Promise<{ readonly issues: readonly AgingIssue[]; readonly scope: AudienceScope | null }> {
  const { asOf } = context;
  if (start < nineWeeks('last', { asOf, timeZone }).week.start) return { issues: [], scope: emptyScope };
  const input = { selection, calendar, timeZone, backlog: 'out' } as const;
  const { aging, issuesScope, baselineScope } = await measureAging(input, context);
  const first = aging.issues.filter(({ pace }) => (pace ?? 0) > 1).slice(0, MAX_ISSUES);
  return { issues: await withReasons(first, context), scope: mergeScopes(issuesScope, baselineScope) };
}
