import { z } from 'zod';
import { agingSchema, mineSchema } from '../../api/answers/aging/aging-answer.ts';
import { type AgingQuestion, agingKind } from '../../api/answers/aging/aging-kind.ts';
import { factMembers } from '../../api/answers/document.ts';
import { flowMetricsSchema } from '../../api/answers/flow/flow-answer.ts';
import { type FlowQuestion, flowKind } from '../../api/answers/flow/flow-kind.ts';
import { type ForecastQuestion, forecastSchema } from '../../api/answers/forecast/forecast-answer.ts';
import { forecastKind } from '../../api/answers/forecast/forecast-kind.ts';
import { issueSchema } from '../../api/answers/issue/issue-answer.ts';
import { issueKind, issueQuestion } from '../../api/answers/issue/issue-kind.ts';
import { mineKind } from '../../api/answers/mine/mine-kind.ts';
import { reportKind, summaryOf } from '../../api/answers/report/report-kind.ts';
import { summarySchema } from '../../api/answers/report/summary-answer.ts';
import type { SprintQuestion } from '../../api/answers/sprint/find-sprint.ts';
import { sprintSchema } from '../../api/answers/sprint/sprint-answer.ts';
import { sprintKind } from '../../api/answers/sprint/sprint-kind.ts';
import { standupSchema } from '../../api/answers/standup/standup-answer.ts';
import { type StandupQuestion, standupKind } from '../../api/answers/standup/standup-kind.ts';
import { weekParameters } from '../../api/parameters/dates.ts';
import { forecastOf, forecastParameters } from '../../api/parameters/forecast.ts';
import { flag, issueKey } from '../../api/parameters/parameter.ts';
import { indexPaging } from '../../api/parameters/report.ts';
import {
  issueFilterParameters,
  readDateRange,
  readSelection,
  selectionParameters,
} from '../../api/parameters/selection.ts';
import { AppError } from '../../model/error.ts';
import type { MeasuredQuestion, ReportQuestion } from '../../model/question.ts';
import { reportIds } from '../../model/report-ids.ts';
import { ask } from '../../model/request.ts';
import { defineRoute, json } from '../define-route.ts';
import { answerParameters, askKind, frameMembers } from '../report/answer.ts';

/** The parameters of measuring that an endpoint for answers reads. */
type Measure = Pick<MeasuredQuestion, 'calendar' | 'timeZone'>;

const outer = { ...frameMembers, ...factMembers };

const days = {
  timeZone: weekParameters.timeZone.meta({
    description: 'The IANA time zone of the days; without it yours.',
    examples: ['Europe/Berlin'],
  }),
  ...answerParameters,
};

const described = 'The forecast, what it is made from, and its doubts; `refused` says why there is none.';
const schema = z.object({ ...outer, ...forecastSchema.shape }).meta({ id: 'Forecast' });

/** Answers of which Slack shows a view, and that are no table. */
export const answerRoutes = [
  defineRoute({
    id: 'getIssueSummary',
    methods: ['get'],
    paths: ['/rest/issue/summary'],
    section: 'Reports',
    summary: 'Where one issue is, since when, and where its time went until it was done',
    parameters: z.object({ issueKey, ...answerParameters }),
    answers: json(
      'The time of the issue before work began, of the work, and since it was done.',
      z.object({ ...outer, ...issueSchema.shape }).meta({ id: 'IssueSummary' }),
      404,
    ),
    async answer(input, principal, parts) {
      const question = (measure: Measure) => issueQuestion(input.issueKey, measure);
      return { body: (await askKind(issueKind, question, input, principal, parts)).body };
    },
  }),
  defineRoute({
    id: 'getIssuesSummary',
    methods: ['get', 'post'],
    paths: ['/rest/issues/summary'],
    takesLong: true,
    section: 'Reports',
    summary: 'Many issues: how long they took from start to done, and where the time went',
    parameters: z.object({ ...selectionParameters, ...answerParameters }),
    answers: json(
      'The cycle time of the issues finished, and the time in each status.',
      z.object({ ...outer, ...summarySchema.shape }).meta({ id: 'IssuesSummary' }),
    ),
    async answer(input, principal, parts) {
      const question = ({ calendar, timeZone }: Measure): ReportQuestion => {
        const selection = readSelection(input);
        const range = readDateRange(input, timeZone);
        const { from = null, to = null, field } = range ?? {};
        return {
          kind: 'report',
          isSummary: true,
          timeZone,
          request: ask({ principal, reportType: reportIds.statusDuration, selection, calendar }),
          range: field === undefined ? null : { field, when: { by: 'dates', from, to } },
        };
      };
      const { body, value } = await askKind(reportKind, question, input, principal, parts);
      return { body: { ...body, ...summaryOf(value) } };
    },
  }),
  defineRoute({
    id: 'getAgingIssues',
    methods: ['get', 'post'],
    paths: ['/rest/issues/aging'],
    takesLong: true,
    section: 'Reports',
    summary: 'Started issues by how long they have been in their status, compared with what is usual there',
    parameters: z.object({
      ...issueFilterParameters,
      withBacklog: flag.default(false).meta({ description: 'Include open issues that are not started.' }),
      ...answerParameters,
      ...indexPaging,
    }),
    answers: json(
      'A page of the issues, those furthest beyond what is usual first.',
      z
        .object({ ...outer, startIssueIndex: z.int(), pageSize: z.int(), ...agingSchema.shape })
        .meta({ id: 'AgingIssues' }),
    ),
    async answer(input, principal, parts) {
      const { startIssueIndex: start, pageSize: size, withBacklog } = input;
      const question = (measure: Measure): AgingQuestion => ({
        kind: 'aging',
        selection: readSelection(input),
        ...measure,
        ...(withBacklog ? { backlog: true } : {}),
      });
      const part = { start, size };
      const { body, value } = await askKind(agingKind, question, input, principal, parts, part);
      const issues = value.issues.slice(start, start + size);
      return { body: { ...body, issues, startIssueIndex: start, pageSize: size } };
    },
  }),
  defineRoute({
    id: 'getStandup',
    methods: ['get', 'post'],
    paths: ['/rest/issues/standup'],
    takesLong: true,
    section: 'Reports',
    summary: 'News since the last working day: what moved, what is blocked or due today, and who is away',
    parameters: z.object({ ...issueFilterParameters, ...answerParameters }),
    answers: json(
      'At most twenty issues of each kind; count counts all.',
      z.object({ ...outer, ...standupSchema.shape }).meta({ id: 'Standup' }),
    ),
    async answer(input, principal, parts) {
      const question = (measure: Measure): StandupQuestion => ({
        kind: 'standup',
        selection: readSelection(input),
        ...measure,
      });
      return { body: (await askKind(standupKind, question, input, principal, parts)).body };
    },
  }),
  defineRoute({
    id: 'getFlowMetrics',
    methods: ['get', 'post'],
    paths: ['/rest/flow'],
    takesLong: true,
    section: 'Reports',
    summary:
      'Flow of the last twelve weeks: arrivals, finished, work in progress and cycle times, by week and by stage',
    parameters: z.object({ ...issueFilterParameters, ...answerParameters }),
    answers: json(
      'The figures of each week, the issues in each stage at the end of each day, and the issues finished and at work.',
      z.object({ ...outer, ...flowMetricsSchema.shape }).meta({ id: 'FlowMetrics' }),
    ),
    async answer(input, principal, parts) {
      const question = (measure: Measure): FlowQuestion => ({
        kind: 'flow',
        selection: readSelection(input),
        ...measure,
      });
      return { body: (await askKind(flowKind, question, input, principal, parts)).body };
    },
  }),
  defineRoute({
    id: 'getAssignedIssues',
    methods: ['get'],
    paths: ['/rest/issues/mine'],
    takesLong: true,
    section: 'Reports',
    summary: 'Your open issues, and those of the people you cover for now, by age',
    parameters: z.object(answerParameters),
    answers: json(
      'At least the first hundred issues of each person; total counts all.',
      z.object({ ...outer, ...mineSchema.shape }).meta({ id: 'AssignedIssues' }),
      404,
    ),
    async answer(input, principal, parts) {
      const question = (measure: Measure): MeasuredQuestion => ({ kind: 'mine', ...measure });
      return { body: (await askKind(mineKind, question, input, principal, parts)).body };
    },
  }),
  defineRoute({
    id: 'getSprintReport',
    methods: ['get'],
    paths: ['/rest/sprints/:id/report'],
    takesLong: true,
    section: 'Reports',
    summary:
      'A sprint: throughput, carried-over and added work, cycle time and time in status, vs. previous sprints',
    parameters: z.object({
      id: z
        .string()
        .regex(/^\d{1,15}$/, { error: 'is not the id of a sprint. Try: a number such as 44' })
        .describe('Id of the sprint, a whole number.'),
      ...answerParameters,
    }),
    answers: json(
      'The figures of the sprint and of up to five sprints before it on the same board.',
      z
        .object({ ...outer, ...sprintSchema.shape })
        .meta({ id: 'SprintReport', description: 'A sprint vs. previous sprints.' }),
      404,
    ),
    async answer(input, principal, parts) {
      const question = (measure: Measure): SprintQuestion => ({
        kind: 'sprint',
        sprint: input.id,
        selection: null,
        ...measure,
      });
      const { body } = await askKind(sprintKind, question, input, principal, parts).catch(
        (error: unknown) => {
          if (!(error instanceof AppError) || !('sprint' in error.fields)) throw error;
          const { reason, message, details, data } = error;
          throw new AppError(reason, message, details, { fields: { id: details.join(' ') }, data });
        },
      );
      return { body };
    },
  }),
  defineRoute({
    id: 'getForecast',
    methods: ['get', 'post'],
    paths: ['/rest/forecast'],
    takesLong: true,
    section: 'Reports',
    summary: 'When issues will be done, or how many by a day: dates or numbers for 50, 85 and 95%',
    parameters: z.object({ ...issueFilterParameters, ...forecastParameters, ...days }),
    answers: json(described, schema),
    async answer(input, principal, parts) {
      const selection = readSelection(input);
      const question = (measure: Measure): ForecastQuestion => ({
        kind: 'forecast',
        selection,
        ...(selection.by === 'sprint' ? { sprint: selection.id } : {}),
        ...forecastOf(input),
        ...measure,
      });
      return { body: (await askKind(forecastKind, question, input, principal, parts)).body };
    },
  }),
  defineRoute({
    id: 'getIssueForecast',
    methods: ['get'],
    paths: ['/rest/issue/forecast'],
    takesLong: true,
    section: 'Reports',
    summary: 'When one open issue will be done, from finished issues that were as old',
    parameters: z.object({ issueKey, ...days }),
    answers: json(described, schema, 404),
    async answer(input, principal, parts) {
      const question = (measure: Measure): ForecastQuestion => ({
        kind: 'forecast',
        selection: { by: 'keys', keys: [input.issueKey] },
        ...measure,
      });
      return { body: (await askKind(forecastKind, question, input, principal, parts)).body };
    },
  }),
];
