import { z } from 'zod';
import { factMembers } from '../../api/answers/document.ts';
import type { WeeklyQuestion } from '../../api/answers/weekly/nine-weeks.ts';
import { weeklyCsv } from '../../api/answers/weekly/weekly-csv.ts';
import { weeklyKind } from '../../api/answers/weekly/weekly-kind.ts';
import { readWeek, weekParameters } from '../../api/parameters/dates.ts';
import { oneOf } from '../../api/parameters/parameter.ts';
import { reportParameters } from '../../api/parameters/report.ts';
import { issueFilterParameters, readSelection } from '../../api/parameters/selection.ts';
import { checkDayLength } from '../../api/settings/request-of-saved.ts';
import { withNotes } from '../../output/provenance-sheet.ts';
import { viewFormats } from '../../output/readable-text.ts';
import { dayLengthMs } from '../../time/calendar.ts';
import { defineRoute } from '../define-route.ts';
import { csvType, trustHeaders } from '../report/answer.ts';
import { answerParameters, askKind, frameMembers } from '../report/figures.ts';
import { olderWeeklyMembers, withOlderMembers } from '../report/older-weekly.ts';

const { viewFormat, dayLength } = reportParameters;

const weeklySummary = z
  .object({
    ...frameMembers,
    viewFormat: z.enum(viewFormats).meta({ deprecated: true }),
    ...factMembers,
    ...olderWeeklyMembers,
  })
  .meta({ id: 'WeeklyAggregates', description: 'A week vs. previous weeks.' });

/** A week of the issues of a list, compared with previous weeks. */
export const weekly = defineRoute({
  id: 'getWeeklySummary',
  methods: ['get', 'post'],
  paths: ['/rest/issues/weekly'],
  takesLong: true,
  section: 'Reports',
  summary: 'An ISO week: throughput, cycle time and time in status, vs. previous weeks',
  parameters: z.object({
    ...issueFilterParameters,
    ...weekParameters,
    ...answerParameters,
    viewFormat,
    dayLength,
    outputType: oneOf(['json', 'csv'])
      .default('json')
      .meta({
        description:
          'The form of the answer; csv is one figure per line. Without it the header Accept decides.',
        enum: ['json', 'csv', 'JSON', 'CSV'],
      }),
  }),
  answers: {
    description: 'The figures of the week, of the previous week and of the eight previous weeks.',
    content: { 'application/json': weeklySummary, 'text/csv': z.string() },
  },
  async answer(input, principal, parts) {
    const notes = await checkDayLength(input, principal, parts.settings);
    const question = (measured: Pick<WeeklyQuestion, 'calendar' | 'timeZone'>): WeeklyQuestion => ({
      kind: 'weekly',
      selection: readSelection(input),
      week: readWeek(input.week, measured.timeZone),
      ...measured,
    });
    const { value: found, body } = await askKind(weeklyKind, question, input, principal, parts);
    const value = { ...found, provenance: withNotes(found.provenance, notes) };
    const dayMs = dayLengthMs(value.provenance.calendar, input.dayLength);
    const frame = { viewFormat: input.viewFormat, dayMs };
    return input.outputType === 'json'
      ? {
          body: {
            ...body,
            ...withOlderMembers(value, frame),
            notes: value.provenance.notes ?? [],
            viewFormat: input.viewFormat,
          },
        }
      : { type: csvType, headers: trustHeaders(value.provenance), body: weeklyCsv(value, frame) };
  },
});
