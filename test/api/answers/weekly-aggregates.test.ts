import { millisecondsInHour } from 'date-fns/constants';
import { describe, expect, test } from '#jest';
import type { WeeklyQuestion } from '../../../src/api/answers/weekly/nine-weeks.ts';
import { weeklyAggregates } from '../../../src/api/answers/weekly/weekly-aggregates.ts';
import { AppError } from '../../../src/model/error.ts';
import type { Issue } from '../../../src/model/issue.ts';
import { ada, at, cut, overLists, teamReporting, through, web } from './a-team.ts';

/** A Wednesday in the week 2026-W12; the last whole week is 2026-W11, from March 9. */
const now = at('03-18T12:00');

const weekly = (issues: readonly Issue[], more: Partial<WeeklyQuestion> = {}, asOf = now) =>
  weeklyAggregates(
    {
      kind: 'weekly',
      selection: web,
      week: 'last',
      calendar: 'normalHours',
      timeZone: 'UTC',
      ...more,
    },
    { principal: ada, asOf, parts: { reporting: teamReporting(issues, now) } },
  );

/** Begun on a day of March at noon, done so many hours later. */
const doneAfter = (number: number, day: string, hours: number) => {
  const begun = at(`03-${day}T12:00`);
  return through(
    number,
    [begun - millisecondsInHour, '1'],
    [begun, '3'],
    [begun + hours * millisecondsInHour, '5'],
  );
};

describe('an issue', () => {
  test('is finished in the week in which it last left a status that is not Done', async () => {
    const issue = through(
      1,
      '02-20T08:00 1',
      '02-23T08:00 3',
      '02-25T08:00 5',
      '03-09T08:00 4',
      '03-10T08:00 5',
      '03-16T08:00 6',
    );
    const { finished, cycleTime, statuses, weeks } = await weekly([issue]);
    expect(finished).toEqual({ week: 1, weekBefore: 0, eightWeeks: 0 });
    // From February 23 on, the days in which it was done already and was reopened included.
    expect(cycleTime.week).toMatchObject({ count: 1, averageMs: 15 * 24 * millisecondsInHour });
    expect(statuses.map(({ name: title, finished: times }) => [title, times.week.averageMs])).toEqual([
      ['Open', 72 * millisecondsInHour],
      ['Doing', 48 * millisecondsInHour],
      ['Review', 24 * millisecondsInHour],
    ]);
    expect(weeks.map(({ id }) => id)).toEqual(
      ['03', '04', '05', '06', '07', '08', '09', '10', '11'].map((number) => `2026-W${number}`),
    );
  });

  test('that leaves its status at the very midnight belongs to the week that begins', async () => {
    const { finished } = await weekly([doneAfter(1, '08', 12), doneAfter(2, '15', 12)]);
    expect(finished).toMatchObject({ week: 1, weekBefore: 0 });
  });

  test('that was reopened since is not finished, but was as long as it was', async () => {
    const issue = through(1, '03-02T08:00 3', '03-10T08:00 5', '03-17T08:00 3');
    expect((await weekly([issue])).finished.week).toBe(0);
    const past = await weekly([issue], { week: at('03-11T00:00') }, at('03-16T08:00'));
    expect(past.finished.week).toBe(1);
    expect(past.week).toMatchObject({ id: '2026-W11', whole: true });
  });

  test('that was created as done is finished in no week', async () => {
    const { finished, withoutCycleTime } = await weekly([through(1, '03-10T08:00 5')]);
    expect([finished.week, withoutCycleTime]).toEqual([0, []]);
  });

  test('that was never in progress, or whose history is cut, has no cycle time and says why', async () => {
    const skipped = through(1, '03-02T08:00 1', '03-10T08:00 5');
    const lost = cut(through(2, '03-02T08:00 1', '03-03T08:00 3', '03-04T08:00 4', '03-11T08:00 5'), 0, 1);
    const { finished, withoutCycleTime, cycleTime, statuses, provenance } = await weekly([skipped, lost]);
    expect(finished.week).toBe(2);
    expect(withoutCycleTime).toEqual(
      expect.arrayContaining([
        { key: 'WEB-1', reason: 'it was never in a started status' },
        { key: 'WEB-2', reason: 'its history is not complete: moved in from elsewhere' },
      ]),
    );
    expect(cycleTime.week).toEqual({
      count: 0,
      averageMs: null,
      medianMs: null,
      p85Ms: null,
      deviationMs: null,
    });
    // What is known of a cut history counts for the week itself, but makes no whole time.
    const review = statuses.find(({ name: title }) => title === 'Review');
    expect([review?.finished.week.count, review?.withinMs.week]).toEqual([0, 56 * millisecondsInHour]);
    expect(provenance).toMatchObject({ complete: false, cutHistories: 1, issues: 2 });
  });
});

test('time within a week is that of all issues, open ones and those finished later included', async () => {
  const { statuses, weeks } = await weekly([
    through(1, '01-01T00:00 3'),
    through(2, '03-14T12:00 3', '03-16T12:00 5'),
  ]);
  expect(statuses.map(({ name: title, withinMs: within }) => [title, within])).toEqual([
    [
      'Doing',
      {
        week: (7 * 24 + 36) * millisecondsInHour,
        weekBefore: 7 * 24 * millisecondsInHour,
        eightWeeks: 7 * 24 * millisecondsInHour,
      },
    ],
  ]);
  expect(weeks.at(-1)?.withinMs).toEqual({ 3: (7 * 24 + 36) * millisecondsInHour });
});

test('a running week is told up to the instant spoken of', async () => {
  const { week, statuses } = await weekly([through(1, '01-01T00:00 3')], { week: 'this' });
  expect(week).toEqual({
    id: '2026-W12',
    start: at('03-16T00:00'),
    end: at('03-23T00:00'),
    whole: false,
  });
  expect(statuses[0]?.withinMs.week).toBe(60 * millisecondsInHour);
});

test('the week in which clocks go forward has an hour less', async () => {
  const { week, statuses } = await weekly([through(1, '01-01T00:00 3')], {
    timeZone: 'America/New_York',
    week: at('03-04T00:00'),
  });
  expect([week.start, week.end]).toEqual([at('03-02T05:00'), at('03-09T04:00')]);
  expect(statuses[0]?.withinMs.week).toBe(167 * millisecondsInHour);
});

test('hours are those of the calendar, weeks those of the zone that asks', async () => {
  const { statuses, provenance } = await weekly([through(1, '01-01T00:00 3')], {
    calendar: 'Office',
    timeZone: 'Asia/Kolkata',
  });
  // Four days of seven hours, one of them a holiday.
  expect(statuses[0]?.withinMs).toMatchObject({
    week: 21 * millisecondsInHour,
    weekBefore: 28 * millisecondsInHour,
  });
  expect(provenance.calendar.name).toBe('Office');
});

describe('contributors', () => {
  test('tell what each issue did to the average against the week before', async () => {
    const { contributors, against } = await weekly([
      doneAfter(1, '03', 10),
      doneAfter(2, '04', 20),
      doneAfter(3, '10', 75),
      doneAfter(4, '11', 13),
      doneAfter(5, '12', 14),
    ]);
    expect(against).toBe('weekBefore');
    expect(
      contributors.map(({ key, cycleMs, shiftMs }) => [
        key,
        cycleMs / millisecondsInHour,
        shiftMs / millisecondsInHour,
      ]),
    ).toEqual([
      ['WEB-3', 75, 20],
      ['WEB-4', 13, -2 / 3],
      ['WEB-5', 14, -1 / 3],
    ]);
  });

  test('are told against the eight weeks where nothing was finished in the week before, else not at all', async () => {
    const early = doneAfter(1, '02', 4);
    expect((await weekly([early, doneAfter(2, '10', 8)])).against).toBe('weekBefore');
    const earlier = through(1, '02-03T08:00 3', '02-03T12:00 5');
    const { against, contributors } = await weekly([earlier, doneAfter(2, '10', 8)]);
    expect([against, contributors[0]?.shiftMs]).toEqual(['eightWeeks', 4 * millisecondsInHour]);
    const alone = await weekly([doneAfter(2, '10', 8)]);
    expect([alone.against, alone.contributors]).toEqual([null, []]);
  });

  test('are five at most', async () => {
    const before = doneAfter(1, '03', 10);
    const some = [20, 30, 40, 5, 6, 70, 80].map((hours, i) => doneAfter(i + 2, '09', hours));
    const { contributors } = await weekly([before, ...some]);
    expect(contributors.map(({ key }) => key)).toEqual(['WEB-8', 'WEB-7', 'WEB-4', 'WEB-3', 'WEB-2']);
  });
});

test('where there are no issues there are no figures', async () => {
  const value = await weekly([], { selection: { by: 'jql', jql: '' } });
  expect(value).toMatchObject({
    finished: { week: 0, weekBefore: 0, eightWeeks: 0 },
    statuses: [],
    contributors: [],
    withoutCycleTime: [],
    provenance: { issues: 0, complete: true },
  });
});

test('a week that has not begun and a zone nobody knows are refused with what is allowed', async () => {
  const refusal = async (more: Partial<WeeklyQuestion>) => {
    const error = await weekly([], more).catch((reason: unknown) => reason);
    return error instanceof AppError ? error.details : error;
  };
  expect(await refusal({ week: at('03-25T00:00') })).toEqual([
    "week '2026-W13' has not begun. Try: weeks up to 2026-W12.",
  ]);
  expect(await refusal({ timeZone: 'Mars/Base' })).toEqual([
    "timeZone 'Mars/Base' is not known. Try: an IANA time zone, such as Europe/Berlin.",
  ]);
});

test('issues are looked at slice by slice, with the figures of all of them at once', async () => {
  const many = Array.from({ length: 2_500 }, (_, i) => doneAfter(i + 1, '10', i % 200));
  const port = teamReporting(many, now);
  const sizes: number[] = [];
  const inSlices = overLists({
    ...port,
    async *slices(request) {
      for await (const slice of port.slices(request)) {
        yield {
          async report(own) {
            const table = await slice.report(own);
            if (own.reportType === 'lastTransitionFromStatusDate') sizes.push(table.issues.length);
            return table;
          },
        };
      }
    },
  });
  // A hosted service has whole reports alone.
  const atOnce = overLists({
    ...port,
    async *slices() {
      yield { report: port.report };
    },
  });
  const figures = (reporting: typeof port) =>
    weeklyAggregates(
      { kind: 'weekly', selection: web, week: 'last', calendar: 'normalHours', timeZone: 'UTC' },
      { principal: ada, asOf: now, parts: { reporting } },
    );
  const value = await figures(inSlices);
  expect(value).toEqual(await figures(atOnce));
  expect(value.provenance.issues).toBe(2_500);
  expect([Math.max(...sizes) < 2_500, sizes.reduce((sum, size) => sum + size, 0)]).toEqual([true, 2_500]);
});
