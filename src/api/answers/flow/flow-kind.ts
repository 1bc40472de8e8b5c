import { yieldToOthers } from '../../../concurrency/cooperative-yield.ts';
import { reportIds } from '../../../model/report-ids.ts';
import { ask } from '../../../model/request.ts';
import { isDecided, reaches } from '../../outcomes/read-table.ts';
import type { QuestionKind } from '../question-kind.ts';
import { cycleFigures, explainOutcomes } from '../why/explain-outcomes.ts';
import { figureId } from '../why/explanation.ts';
import type { FlowMetrics } from './flow-answer.ts';
import { flowMetricsSchema } from './flow-answer.ts';
import { FLOW_WEEKS, type FlowQuestion, flowWeeks, measureFlow } from './measure-flow.ts';

/** `/tis flow [FILTER] [in CALENDAR]`. */
export const flowKind: QuestionKind<FlowQuestion, FlowMetrics> = {
  kind: 'flow',
  selections: ({ selection }) => [selection],
  ranges: () => [],
  async answer(question, context) {
    const value = await measureFlow(question, context);
    return { value, contents: value.provenance.contents ?? null };
  },
  isEmpty: ({ total, openIssues, doneSinceUnknown, unclear, ageUnknown, provenance }) =>
    total.arrived + (total.finished ?? 0) + (total.inProgress ?? 0) + openIssues.length === 0 &&
    doneSinceUnknown.length + unclear.length + ageUnknown.length === 0 &&
    isDecided(provenance) &&
    reaches(provenance, null),
  withProvenance: (value, change) => ({ ...value, provenance: change(value.provenance) }),
  document: { schema: flowMetricsSchema, facts: ({ provenance }) => ({ provenance, until: null }) },
  figures: ({ total: { cycleTime } }) => [
    { id: figureId('finished'), title: `Finished in ${FLOW_WEEKS} weeks and this one` },
    ...cycleFigures(cycleTime),
  ],
  async explain(figure, { selection, calendar, timeZone }, { principal, asOf, parts: { reporting } }) {
    const { spans, doubtful, statuses, provenance } = await reporting.finishedSpans({
      principal,
      selection,
      dateRange: null,
      asOf,
      calendar,
      bounds: [flowWeeks({ asOf, timeZone })[0]?.start ?? asOf, asOf + 1],
    });
    const outcomes = (await spans[0]?.outcomes()) ?? [];
    await yieldToOthers();
    return explainOutcomes(figure, {
      outcomes,
      maybe: doubtful,
      statuses,
      provenance,
      asOf,
      called: `issues finished in ${FLOW_WEEKS} weeks and this one`,
      finishedCalled: `Finished in ${FLOW_WEEKS} weeks and this one`,
    });
  },
  async file({ selection, calendar, timeZone }, { principal, asOf }) {
    return ask({
      principal,
      asOf,
      reportType: reportIds.statusDuration,
      selection,
      dateRange: { field: 'finished', from: flowWeeks({ asOf, timeZone })[0]?.start ?? asOf, to: null },
      calendar,
      timeZone,
      includeDeletedStatuses: true,
    });
  },
};
