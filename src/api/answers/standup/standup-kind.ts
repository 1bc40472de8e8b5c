import { projectKeyOf } from '../../../model/issues/issue-fields.ts';
import { isDecided, reaches } from '../../outcomes/read-table.ts';
import { explainBlocked } from '../issue/explain-issue.ts';
import type { QuestionKind } from '../question-kind.ts';
import { explainOutcomes } from '../why/explain-outcomes.ts';
import { explainTarget, targetFigure } from '../why/explain-target.ts';
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
    finished.count + started.count + moved.count + (blocked?.count ?? 0) + due.count + away.count === 0 &&
    doneSinceUnknown.length + unclear.length === 0 &&
    isDecided(provenance) &&
    reaches(provenance, null),
  withProvenance: (value, change) => ({ ...value, provenance: change(value.provenance) }),
  issuesBehind: ({ selection }, { projects }, about) => [
    about(selection),
    // A learned target comes from all issues of a project.
    ...projects.map((project) => about({ by: 'project', project })),
  ],
  forPosts: (value, { toOutsiders }) =>
    value.isCoverForAll && !toOutsiders
      ? value
      : { ...value, away: { count: 0, people: [] }, coverShown: 'withheld' },
  document: { schema: standupSchema, facts: ({ provenance }) => ({ provenance, until: null }) },
  figures: ({ blocked, due, provenance }) => [
    { id: figureId('finished'), title: FINISHED },
    ...(blocked?.issues ?? []).map(({ key }) => ({
      id: figureId('blocked', key),
      title: `Time ${key} was blocked`,
    })),
    ...due.issues.flatMap(({ key, target }) =>
      target === null
        ? []
        : [targetFigure({ ...target, project: projectKeyOf({ key }) }, provenance.calendar)],
    ),
  ],
  async explain(figure, question, context) {
    const { selection, calendar } = question;
    const { principal, asOf, parts } = context;
    const [key = ''] = figure.words;
    if (figure.kind === 'target') return explainTarget(figure, question, context);
    if (figure.kind === 'blocked' && key !== '')
      return explainBlocked(key, { principal, calendar, asOf }, parts.reporting);
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
