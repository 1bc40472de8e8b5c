import { z } from 'zod';
import { DAY_MS } from '../../formats/duration-text.ts';
import { defineRoute } from '../define-route.ts';
import { reportParameters } from '../parameters/report.ts';
import { readSelection, selectionParameters } from '../parameters/selection.ts';
import { readWeek, weekParameters } from '../parameters/week.ts';
import { readWindow } from '../parameters/window.ts';
import { checkDayLength } from '../report/check-day-length.ts';
import { weeklyJson } from '../wire/weekly-json.ts';
import { weeklySchema } from '../wire/weekly-schema.ts';

const {
  startDate: _startDate,
  endDate: _endDate,
  dateRangeField: _field,
  ...selection
} = selectionParameters;
const { calendar, asOf, viewFormat, dayLength } = reportParameters;

/** What a week was like for the issues of a list, beside the weeks before. */
export const issuesWeekly = defineRoute({
  methods: ['get', 'post'],
  paths: ['/rest/issues/weekly'],
  guarded: true,
  section: 'Reports',
  summary:
    'Issues finished in an ISO week, their times, and the time spent within it, beside the weeks before',
  parameters: z.object({ ...selection, ...weekParameters, calendar, asOf, viewFormat, dayLength }),
  answers: {
    description: 'The figures of the week, of the week before and of the eight weeks before.',
    content: { 'application/json': weeklySchema },
  },
  async answer(asked, asker, { answers, reporting, settings, now, version }) {
    await checkDayLength(asked, asker, settings);
    const timeZone = asked.timeZone ?? (await reporting.timeZoneOf(asker));
    const { told } = await answers.answer(
      asker,
      {
        kind: 'weekly',
        selection: readSelection(asked),
        week: readWeek(asked, timeZone),
        calendar: asked.calendar,
        timeZone,
      },
      readWindow({ asOf: asked.asOf }, { now: now(), timeZone }).asOf,
    );
    if (told.kind !== 'weekly') throw new Error(`A week was asked for and ${told.kind} was told`);
    const { dailyMs } = told.weekly.provenance.calendar;
    const dayMs = asked.dayLength === 'businessDays' ? dailyMs : DAY_MS;
    return { body: weeklyJson(told.weekly, { viewFormat: asked.viewFormat, dayMs, version }) };
  },
});
