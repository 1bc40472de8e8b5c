import { countOf } from '../../../output/figure-words.ts';
import { isDecided, reaches } from '../../outcomes/read-table.ts';
import { statusTimesOf } from '../figures/list-request.ts';
import type { QuestionKind } from '../question-kind.ts';
import { explainSprint, sprintFigures } from './explain-sprint.ts';
import { endOf, type SprintQuestion, selectionOf } from './find-sprint.ts';
import type { SprintReport } from './sprint-answer.ts';
import { sprintSchema } from './sprint-answer.ts';
import { sprintIssues, sprintReport } from './sprint-report.ts';

/** `/tis sprint [NAME | PROJECT | last] [in CALENDAR]`. */
export const sprintKind: QuestionKind<SprintQuestion, SprintReport> = {
  kind: 'sprint',
  selections: (question) => selectionOf(question) ?? [],
  ranges: () => [],
  async answer(question, context) {
    const value = await sprintReport(question, context);
    return { value, contents: value.provenance.contents ?? null };
  },
  isEmpty: ({ sprint: own, provenance }) =>
    provenance.issues === 0 && isDecided(provenance) && reaches(provenance, endOf(own)),
  withProvenance: (value, change) => ({ ...value, provenance: change(value.provenance) }),
  document: {
    schema: sprintSchema,
    facts: ({ provenance, sprint }) => ({ provenance, until: endOf(sprint) }),
  },
  figures: sprintFigures,
  explain: explainSprint,
  async file(question, context) {
    const { span, outcomes } = await sprintIssues(question, context);
    const keys = outcomes.map(({ facts }) => facts.key);
    const title = `${countOf(keys.length, 'issue')} within ${span.name}`;
    const list = statusTimesOf(keys, { calendar: question.calendar, title }, context);
    return { ...list, trim: { from: span.start, to: span.end } };
  },
};
