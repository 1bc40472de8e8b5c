import { isDecided, reaches } from '../../outcomes/read-table.ts';
import type { QuestionKind } from '../question-kind.ts';
import { explainOutcomes } from '../why/explain-outcomes.ts';
import { figureId } from '../why/explanation.ts';
import { lastWorkingDay, measureStandup, type StandupQuestion } from './measure-standup.ts';
import { type Standup, standupSchema } from './standup-answer.ts';

const FINISHED = 'Finished since the last working day';

/** `/tis standup [FILTER] [in CALENDAR]`. */
export const standupKind: QuestionKind<StandupQuestion, Standup> = {
  kind: 'standup',
  selections: ({ selection }) => [selection],
  ranges: () => [],
  async answer(question, context) {
    const value = await measureStandup(question, context);
    return { value, contents: value.provenance.contents ?? null };
  },
  isEmpty: ({ finished, started, moved, blocked, due, away, doneSinceUnknown, unclear, provenance }) =>
    finished.count + started.count + moved.count + (blocked?.count ?? 0) + due.count + away.length === 0 &&
    doneSinceUnknown.length + unclear.length === 0 &&
    isDecided(provenance) &&
    reaches(provenance, null),
  withProvenance: (value, change) => ({ ...value, provenance: change(value.provenance) }),
  issuesBehind: ({ selection }, { projects }, about) => [
    about(selection),
    // A learned target comes from all issues of a project.
    ...projects.map((project) => about({ by: 'project', project })),
  ],
  forPosts: (value) => (value.isCoverForAll ? value : { ...value, away: [], seesAllCover: false }),
  document: { schema: standupSchema, facts: ({ provenance }) => ({ provenance, until: null }) },
  figures: () => [{ id: figureId('finished'), title: FINISHED }],
  async explain(figure, question, context) {
    const { selection, calendar } = question;
    const { principal, asOf, parts } = context;
    const { spans, doubtful, statuses, provenance } = await parts.reporting.finishedSpans({
      principal,
      selection,
      dateRange: null,
      asOf,
      calendar,
      bounds: [await lastWorkingDay(question, context), asOf + 1],
    });
    return explainOutcomes(figure, {
      outcomes: (await spans[0]?.outcomes()) ?? [],
      maybe: doubtful,
      statuses,
      provenance,
      asOf,
      called: 'issues finished since the last working day',
      finishedCalled: FINISHED,
    });
  },
  file: async () => null,
};
