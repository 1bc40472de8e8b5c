import fc from 'fast-check';
import { expect, test } from '#jest';
import { workDaysOf } from '../../../../src/api/answers/figures/work-days.ts';
import { forecastKind } from '../../../../src/api/answers/forecast/forecast-kind.ts';
import { MAX_WEEKS, pastWeeks } from '../../../../src/api/answers/forecast/past-weeks.ts';
import { allOutcomes } from '../../../../src/api/outcomes/issue-outcomes.ts';
import { normalHoursDefinition } from '../../../../src/api/settings/local-settings.ts';
import { isWorkingDay } from '../../../../src/time/working-days.ts';
import {
  ada,
  always,
  calendars,
  end,
  overLists,
  someIssues,
  start,
  teamReporting,
  through,
  web,
} from '../a-team.ts';
import { teamAnswers } from '../team-answers.ts';

const DAY = 86_400_000;
const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Pacific/Kiritimati'];
const settings = async () => [normalHoursDefinition, ...calendars];

/** The date of an instant by Node's own clocks. */
const dateIn = (at: number, timeZone: string) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(at);
const dayBefore = (date: string, days: number) =>
  new Date(Date.parse(`${date}T12:00:00Z`) - days * DAY).toISOString().slice(0, 10);

test('finished issues count on their day, or on the working day before it', async () => {
  let seen = 0;
  await fc.assert(
    fc.asyncProperty(
      someIssues,
      fc.integer({ min: start + 20 * DAY, max: end }),
      fc.constantFrom(...zones),
      fc.constantFrom('normalHours', '1', '2'),
      fc.boolean(),
      async (issues, asOf, timeZone, calendar, isOverLists) => {
        fc.pre(issues.length > 0);
        const local = teamReporting(issues, end);
        const reporting = isOverLists ? overLists(local) : local;
        const context = { principal: ada, asOf, parts: { reporting, calendars: settings } };
        const question = { selection: web, calendar, timeZone };
        const { days, weeks } = await pastWeeks(question, await workDaysOf(question, context), context);

        const definition = calendars.find(({ id }) => String(id) === calendar);
        // The noon of a date in UTC is on that date in London's zone, whatever the calendar's own.
        const isWorking = (date: string) =>
          definition === undefined || isWorkingDay(definition, Date.parse(`${date}T12:00:00Z`), 'UTC');
        const today = dateIn(asOf, timeZone);
        const dates = Array.from({ length: 7 * MAX_WEEKS }, (_, i) => dayBefore(today, 7 * MAX_WEEKS - i));
        const working = dates.filter(isWorking);
        const input = { principal: ada, selection: web, dateRange: null, asOf, calendar };
        const { outcomes } = await allOutcomes(input, reporting);
        const finished = outcomes.flatMap(({ finish }) => finish?.at ?? []).map((at) => dateIn(at, timeZone));
        const counted = finished.flatMap((date) =>
          dates.includes(date) ? [working.findLast((one) => one <= date) ?? working[0]] : [],
        );
        const expected = dates.map((date) =>
          working.includes(date) ? counted.filter((one) => one === date).length : -1,
        );
        seen += counted.length;
        const shown = expected.slice(7 * (MAX_WEEKS - weeks.length));
        expect([...days]).toEqual(shown);
        // Nothing was finished before the first week that is left, or none is left out.
        const isLeftOut = weeks.length < MAX_WEEKS;
        if (isLeftOut)
          expect(finished.filter((date) => date < (dates[7 * (MAX_WEEKS - weeks.length)] ?? ''))).toEqual([]);
        expect(weeks.map((week) => week.finished)).toEqual(
          weeks.map((_, week) =>
            shown.slice(7 * week, 7 * week + 7).reduce((sum, count) => sum + Math.max(0, count), 0),
          ),
        );
      },
    ),
  );
  expect(seen).toBeGreaterThan(0);
});

test('an answer about one issue is for those who can see the issues that it is compared with', async () => {
  const done = Array.from({ length: 12 }, (_, i) =>
    through(i + 1, [end - (40 + i) * DAY, '1'], [end - (30 + i) * DAY, '3'], [end - (10 + i) * DAY, '5']),
  );
  const open = through(13, [end - 9 * DAY, '1'], [end - 5 * DAY, '3']);
  const { answers } = await teamAnswers({ reporting: teamReporting([...done, open], end), now: () => end });
  const selection = { by: 'keys', keys: ['WEB-13'] } as const;
  const { value, contents } = await answers.ask(forecastKind, ada, {
    kind: 'forecast',
    selection,
    ...always,
  });
  expect(value).toMatchObject({ compared: 12, projects: ['WEB'] });
  expect(contents).toMatchObject({ projects: ['WEB'], issues: 13 });
});
