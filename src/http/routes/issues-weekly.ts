import { z } from 'zod';
import { oneOf } from '../../parameters/parameter.ts';
import { readSelection, selectionParameters } from '../../parameters/selection.ts';
import { readWeek, weekParameters } from '../../parameters/week.ts';
import type { WeeklyQuestion } from '../../questions/weekly/nine-weeks.ts';
import { weeklyKind } from '../../questions/weekly/weekly-kind.ts';
import { defineRoute } from '../define-route.ts';
import { answerFigures, figureParameters } from '../report/answer-figures.ts';
import { csvType, trustHeaders } from '../wire/report-reply.ts';
import { weeklyCsv } from '../wire/weekly-csv.ts';
import { weeklyJson } from '../wire/weekly-json.ts';
import { weeklySchema } from '../wire/weekly-schema.ts';

const {
  startDate: _startDate,
  endDate: _endDate,
  dateRangeField: _field,
  ...selection
} = selectionParameters;
const outputType = oneOf(['json', 'csv'])
  .default('json')
  .meta({ description: 'The form of the answer; csv is one figure per line.' });

/** What a week was like for the issues of a list, beside the weeks before. */
export const issuesWeekly = defineRoute({
  methods: ['get', 'post'],
  paths: ['/rest/issues/weekly'],
  guarded: true,
  takesLong: true,
  section: 'Reports',
  summary:
    'Issues finished in an ISO week, their times, and the time spent within it, beside the weeks before',
  parameters: z.object({
    ...selection,
    ...weekParameters,
    ...figureParameters,
    outputType,
  }),
  answers: {
    description: 'The figures of the week, of the previous week and of the eight previous weeks.',
    content: { 'application/json': weeklySchema, 'text/csv': z.string() },
  },
  async answer(asked, principal, parts) {
    const { value, frame } = await answerFigures(
      weeklyKind,
      ({ calendar, timeZone }): WeeklyQuestion => ({
        kind: 'weekly',
        selection: readSelection(asked),
        week: readWeek(asked, timeZone),
        ...{ calendar, timeZone },
      }),
      asked,
      principal,
      parts,
    );
    if (asked.outputType === 'json') return { body: weeklyJson(value, frame) };
    return { type: csvType, headers: trustHeaders(value.provenance), body: weeklyCsv(value, frame) };
  },
});
