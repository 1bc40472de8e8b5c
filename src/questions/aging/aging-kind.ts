import type { Aging } from '../../model/answer.ts';
import { measureAging, nothingWaits, openKeys } from '../figures/aging-figures.ts';
import { ofProject, openTimesOf } from '../figures/list-request.ts';
import type { AgingInput } from '../figures/open-issues.ts';
import { mergeScopes } from '../figures/read-table.ts';
import type { QuestionKind } from '../kind.ts';
import { filterOrDefault } from '../parse/read-filter.ts';
import { takeTails, unitOf } from '../parse/take-tails.ts';

import { countOf } from '../view/figure-words.ts';
import { issuesText } from '../view/subject-words.ts';
import { agingFigures, explainAging } from '../why/explain-aging.ts';
import { type AgingQuestion, agingView } from './aging-view.ts';

/** `/tis aging [FILTER] [with backlog] [in CALENDAR]`. */
export const agingKind: QuestionKind<AgingQuestion, Aging> = {
  kind: 'aging',
  builderTitle: 'Aging: started issues that take longer than usual',
  commands: [
    {
      word: 'aging',
      usage: '/tis aging [FILTER] [with backlog] [in CALENDAR]',
      summary: 'started issues that have been in their status longer than usual',
      examples: [
        '/tis aging WEB',
        '/tis aging WEB with backlog',
        '/tis aging assignee ada',
        '/tis aging jql project = WEB AND status = "In Review"',
      ],
      details:
        'Usual is the 85th percentile of the last 90 days. Without a FILTER it uses the default projects of this channel, else the project with most of your issues.',
      tries: ({ project }) => [`/tis aging ${project}`],
    },
  ],
  async read(words, context) {
    const { rest, tails } = await takeTails(words, ['calendar', 'unit', 'backlog'], context);
    const { selection, remark } = await filterOrDefault(rest, context);
    const { calendar, timeZone } = context.hours;
    const question: AgingQuestion = {
      kind: 'aging',
      selection,
      calendar: tails.calendar ?? calendar,
      timeZone,
      ...(tails.backlog === undefined ? {} : { backlog: tails.backlog }),
      ...unitOf(tails),
    };
    await context.check(question);
    return { question, remark };
  },
  builder: ({ selection, calendar, backlog = false }) => ({
    ...{ report: 'aging', filter: selection, calendar, withBacklog: backlog },
  }),
  ofBuilder: ({ filter: { selection }, calendar, timeZone, withBacklog }): AgingQuestion => ({
    kind: 'aging',
    ...{ selection, calendar, timeZone },
    ...(withBacklog ? { backlog: true } : {}),
  }),
  selections: ({ selection }) => [selection],
  ranges: () => [],
  async answer(question, { principal, asOf, parts }) {
    const { aging, issuesScope, baselineScope } = await measureAging(
      inputOf(question),
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
    // What is usual comes from all issues of a project.
    const projects = [...new Set(issues.map(({ project }) => project))];
    return [about(selection), ...projects.map((project) => about({ by: 'project', project }))];
  },
  title: ({ selection, backlog }) =>
    `${backlog === undefined ? 'started' : 'open'} work of ${issuesText(selection)}`,
  view: agingView,
  figures: agingFigures,
  explain: (figure, question, { principal, asOf, parts }) =>
    explainAging(figure, question, principal, asOf, parts),
  async file(question, context) {
    const { principal, asOf, parts } = context;
    const keys = await openKeys(await measureAging(inputOf(question), principal, asOf, parts));
    const title = agingTitle(keys.length, question);
    return openTimesOf(keys, { calendar: question.calendar, title }, context);
  },
  fileReportType: 'currentStateAge',
};

function inputOf({ selection, calendar, backlog }: AgingQuestion): AgingInput {
  return { selection, calendar, assignee: null, ...(backlog === undefined ? { backlog: 'out' } : {}) };
}

/** `12 started issues of WEB by age`. */
export function agingTitle(count: number, { selection, backlog }: AgingQuestion): string {
  return `${countOf(count, backlog === undefined ? 'started issue' : 'open issue')}${ofProject(selection)} by age`;
}
