import { expect, test } from '#jest';
import { createMemoryMirror } from '../../../src/mirror/create-mirrors.ts';
import { reportIds } from '../../../src/model/report-ids.ts';
import { ask, type ReportRequest } from '../../../src/model/request.ts';
import { anIssue } from '../../support/issue-story.ts';
import { localReporting } from '../../support/local-reporting.ts';
import { principalOf } from '../../support/principal-of.ts';
import { underZones } from '../../support/under-zones.ts';
import { aCalendar } from '../../time/a-calendar.ts';
import { trackerOf } from './tracker-of.ts';

const asOf = Date.parse('2026-01-01T12:00:00Z');
const { issue } = anIssue('WEB-1', '2023-01-01T12:00:00Z');

/** The periods of a report over some issues. */
async function periodsOf(issues: readonly (typeof issue)[], request: Partial<ReportRequest>) {
  const mirror = createMemoryMirror(trackerOf(issues), () => asOf);
  const reporting = localReporting(mirror, () => asOf, { calendars: [aCalendar()] });
  const { columns } = await reporting.report(
    ask({
      principal: principalOf('ada'),
      reportType: reportIds.timePeriodDurationByStatus,
      selection: { by: 'jql', jql: '' },
      ...request,
    }),
  );
  return columns.filter(({ part }) => part === 'value').map(({ id }) => id.split('|')[0]);
}

underZones(() => {
  test('periods adjoin from the birth of the oldest issue to the asked instant', async () => {
    const quarters = await periodsOf([issue], { timePeriod: 'Quarter', calendar: 'Office' });
    const years = [2023, 2024, 2025].flatMap((year) => [1, 2, 3, 4].map((quarter) => `${year}-Q${quarter}`));
    expect(quarters).toEqual([...years, '2026-Q1']);
  });

  test('too many of them are refused with a way out, a window makes them few', async () => {
    await expect(periodsOf([issue], { timePeriod: 'Day' })).rejects.toMatchObject({
      details: [expect.stringMatching(/more than 1000 periods.*trimHistoryStartDate/)],
    });
    const trim = { from: Date.parse('2025-12-30T00:00:00Z'), to: null };
    expect(await periodsOf([issue], { timePeriod: 'Day', trim })).toEqual([
      '2025-12-30',
      '2025-12-31',
      '2026-01-01',
    ]);
  });

  test('without any issue there is an answer', async () => {
    expect(await periodsOf([], { timePeriod: 'Month' })).toEqual([]);
  });
});
