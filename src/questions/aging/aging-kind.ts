import type { Aging } from '../../model/answer.ts';
import type { Selection } from '../../model/request.ts';
import { measureAging, nothingWaits, openKeys } from '../figures/aging-figures.ts';
import { mergeScopes } from '../figures/answer-provenance.ts';
import { ofProject, openTimesOf } from '../figures/list-request.ts';
import type { QuestionKind } from '../kind.ts';
import { filterOrDefault } from '../parse/read-filter.ts';
import { takeTails, unitOf } from '../parse/take-tails.ts';
import { countOf } from '../view/figure-words.ts';
import { issuesText } from '../view/subject-words.ts';
import { agingFigures, explainAging } from '../why/explain-aging.ts';
import { type AgingQuestion, agingView } from './aging-view.ts';

/** `/tis aging [FILTER] [in CALENDAR]`. */
export const agingKind: QuestionKind<AgingQuestion, Aging> = {
  kind: 'aging',
  builderTitle: 'Aging: open issues against what is usual',
  commands: [
    {
      word: 'aging',
      usage: '/tis aging [FILTER] [in CALENDAR]',
      summary: 'open issues by how long they have been where they are, against what is usual there',
      examples: [
        '/tis aging WEB',
        '/tis aging assignee ada',
        '/tis aging jql project = WEB AND status = "In Review"',
      ],
      details:
        'Usual is the 85th percentile of the visits that ended in that status within 90 days. Without a FILTER it is of the projects chosen for this channel, else of that of which most issues are yours.',
      tries: ({ project }) => [`/tis aging ${project}`],
    },
  ],
  async read(words, context) {
    const { rest, tails } = await takeTails(words, ['calendar', 'unit'], context);
    const { selection, remark } = await filterOrDefault(rest, context);
    const { calendar, timeZone } = context.hours;
    const question: AgingQuestion = {
      kind: 'aging',
      selection,
      calendar: tails.calendar ?? calendar,
      timeZone,
      ...unitOf(tails),
    };
    await context.check(question);
    return { question, remark };
  },
  builder: ({ selection, calendar }) => ({ report: 'aging', filter: selection, calendar }),
  ofBuilder: ({ filter: { selection }, calendar, timeZone }): AgingQuestion => ({
    kind: 'aging',
    selection,
    calendar,
    timeZone,
  }),
  selections: ({ selection }) => [selection],
  ranges: () => [],
  async answer(question, { principal, asOf, parts }) {
    const { aging, issuesScope, baselineScope } = await measureAging(
      { ...question, assignee: null },
      principal,
      asOf,
      parts,
    );
    return { value: aging, contents: mergeScopes(issuesScope, baselineScope) };
  },
  isEmpty: nothingWaits,
  withProvenance: (value, change) => ({ ...value, provenance: change(value.provenance) }),
  listLength: ({ count }) => count,
  issuesBehind({ selection }, { issues }, about) {
    // What is usual is learnt from all issues of a project.
    const projects = [...new Set(issues.map(({ project }) => project))];
    return [about(selection), ...projects.map((project) => about({ by: 'project', project }))];
  },
  title: ({ selection }) => `open work of ${issuesText(selection)}`,
  view: agingView,
  figures: agingFigures,
  explain: (figure, question, { principal, asOf, parts }) =>
    explainAging(figure, question, principal, asOf, parts),
  async file(question, context) {
    const { principal, asOf, parts } = context;
    const keys = await openKeys(await measureAging({ ...question, assignee: null }, principal, asOf, parts));
    const title = openTitle(keys.length, question.selection);
    return openTimesOf(keys, { calendar: question.calendar, title }, context);
  },
  fileReportType: 'currentStateAge',
};

/** `12 open issues of WEB by age`. */
export function openTitle(count: number, selection: Selection): string {
  return `${countOf(count, 'open issue')}${ofProject(selection)} by age`;
}
