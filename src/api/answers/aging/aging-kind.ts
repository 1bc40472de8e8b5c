import type { MeasuredQuestion } from '../../../model/question.ts';
import { reportIds } from '../../../model/report-ids.ts';
import type { Selection } from '../../../model/request.ts';
import { countOf } from '../../../output/figure-words.ts';
import { mergeScopes } from '../../outcomes/read-table.ts';
import {
  type AgingInput,
  hasNoneOpen,
  measureAging,
  openKeys,
  withReasons,
} from '../figures/aging-figures.ts';
import { ofProject, openTimesOf } from '../figures/list-request.ts';
import type { QuestionKind } from '../question-kind.ts';
import { agingFigures, explainAging, explainMissed, missedTitle } from '../why/explain-aging.ts';
import { figureId } from '../why/explanation.ts';
import type { Aging } from './aging-answer.ts';
import { agingSchema } from './aging-answer.ts';

/** Open issues that have been in their status longer than usual. */
export interface AgingQuestion extends MeasuredQuestion {
  readonly kind: 'aging';
  readonly selection: Selection;
  /** Issues that are not started count as well. */
  readonly backlog?: true;
}

/** The name of the figure that counts issues which have missed their target. */
const MISSED = 'missed';

/** No page has more issues; watches, which show no reasons, take all there are. */
const MAX_REASONS = 100;

/** `/tis aging [FILTER] [with backlog] [in CALENDAR]`. */
export const agingKind: QuestionKind<AgingQuestion, Aging> = {
  kind: 'aging',
  selections: ({ selection }) => [selection],
  ranges: () => [],
  async answer(question, context) {
    const { aging, issuesScope, baselineScope } = await measureAging(agingInput(question), context);
    const { start, size } = context.part;
    const end = start + Math.min(size, MAX_REASONS);
    const shown = await withReasons(aging.issues.slice(start, end), context);
    const issues = [...aging.issues.slice(0, start), ...shown, ...aging.issues.slice(end)];
    return { value: { ...aging, issues }, contents: mergeScopes(issuesScope, baselineScope) };
  },
  isEmpty: hasNoneOpen,
  withProvenance: (value, change) => ({ ...value, provenance: change(value.provenance) }),
  listLength: ({ total: count }) => count,
  issuesBehind({ selection }, { projects }, about) {
    // The usual time comes from all issues of a project.
    return [about(selection), ...projects.map((project) => about({ by: 'project', project }))];
  },
  document: { schema: agingSchema, facts: ({ provenance }) => ({ provenance, until: null }) },
  figures: (aging) => [
    ...(aging.target === null ? [] : [{ id: figureId(MISSED), title: missedTitle }]),
    ...agingFigures(aging),
  ],
  explain: (figure, question, context) =>
    figure.kind === MISSED
      ? explainMissed(agingInput(question), context)
      : explainAging(figure, question, context),
  async file(question, context) {
    const keys = await openKeys(await measureAging(agingInput(question), context));
    const title = agingTitle(keys.length, question);
    return openTimesOf(keys, { calendar: question.calendar, title }, context);
  },
  fileReportType: reportIds.currentStateAge,
};

function agingInput({ selection, calendar, timeZone, backlog }: AgingQuestion): AgingInput {
  return {
    selection,
    calendar,
    timeZone,
    assignees: null,
    ...(backlog === undefined ? { backlog: 'out' } : {}),
  };
}

/** `12 started issues of WEB by age`. */
export function agingTitle(count: number, { selection, backlog }: AgingQuestion): string {
  return `${countOf(count, backlog === undefined ? 'started issue' : 'open issue')}${ofProject(selection)} by age`;
}
