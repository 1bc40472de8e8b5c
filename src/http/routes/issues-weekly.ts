import { millisecondsInDay } from 'date-fns/constants';
import { z } from 'zod';
import { checkDayLength } from '../../api/settings/request-of-saved.ts';
import { withNotes } from '../../output/provenance-sheet.ts';
import { oneOf } from '../../parameters/parameter.ts';
import { reportParameters } from '../../parameters/report.ts';
import { readSelection, selectionParameters } from '../../parameters/selection.ts';
import { readWindow } from '../../parameters/window.ts';
import { weeklyKind } from '../../questions/weekly/weekly-kind.ts';
import { defineRoute } from '../define-route.ts';
import { readWeek, weekParameters } from '../parameters/week.ts';
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
const { calendar, asOf, viewFormat, dayLength } = reportParameters;
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
    calendar,
    asOf,
    viewFormat,
    dayLength,
    outputType,
  }),
  answers: {
    description: 'The figures of the week, of the week before and of the eight weeks before.',
    content: { 'application/json': weeklySchema, 'text/csv': z.string() },
  },
  async answer(asked, principal, { answers, reporting, settings, now, version }) {
    const unchecked = await checkDayLength(asked, principal, settings);
    const timeZone = asked.timeZone ?? (await reporting.timeZoneOf(principal));
    const { value } = await answers.ask(
      weeklyKind,
      principal,
      {
        kind: 'weekly',
        selection: readSelection(asked),
        week: readWeek(asked, timeZone),
        calendar: asked.calendar,
        timeZone,
      },
      readWindow({ asOf: asked.asOf }, { now: now(), timeZone }).asOf,
    );
    const provenance = withNotes(value.provenance, unchecked);
    const weekly = { ...value, provenance };
    const { dailyMs } = provenance.calendar;
    const dayMs = asked.dayLength === 'businessDays' ? dailyMs : millisecondsInDay;
    const frame = { viewFormat: asked.viewFormat, dayMs, version };
    if (asked.outputType === 'json') return { body: weeklyJson(weekly, frame) };
    return {
      type: csvType,
      headers: trustHeaders(provenance),
      body: weeklyCsv(weekly, frame),
    };
  },
});
