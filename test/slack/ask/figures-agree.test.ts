import { afterAll, beforeAll, expect, test } from '#jest';
import type { Message } from '../../../playground/workspace.ts';
import { assistantOf } from '../../mcp/assistant.ts';
import { exportFile, isAssignedTo, jiraIssue, movesTo, type RawIssue } from '../../support/jira-export.ts';
import { until } from '../../support/local-exports.ts';
import { startDwellInSlack } from '../../support/start-slack.ts';

let place: Awaited<ReturnType<typeof startDwellInSlack>>;

/** Of a status of this name the file says no category, and no history implies one. */
const uncategorized = (issue: RawIssue): RawIssue => ({
  ...issue,
  fields: { ...issue.fields, status: { id: '950', name: 'Limbo' } },
});

beforeAll(async () => {
  place = await startDwellInSlack({ at: '2026-03-18T12:00:00Z', environment: { TIME_ZONE: 'UTC' } });
  await place.dwell.types(
    'import',
    exportFile([
      // 2d 3h 40m in In Progress and 1d 4h 25m in In Review are 3d 8h 5m.
      jiraIssue('SUM-1')
        .at('2026-03-03T00:00:00Z', movesTo('In Progress'))
        .at('2026-03-05T03:40:00Z', movesTo('In Review'))
        .at('2026-03-06T08:05:00Z', movesTo('Done'))
        .onCloud(),
      // A third of the time in each of three statuses.
      jiraIssue('SHR-1')
        .at('2026-03-03T00:00:00Z', movesTo('In Progress'))
        .at('2026-03-04T00:00:00Z', movesTo('In Review'))
        .at('2026-03-05T00:00:00Z', movesTo('QA'))
        .at('2026-03-06T00:00:00Z', movesTo('Done'))
        .onCloud(),
      // A day is usual in In Progress; AGE-9 is there for 47 hours.
      ...[1, 2, 3, 4, 5].map((number) =>
        jiraIssue(`AGE-${number}`)
          .at('2026-03-03T09:00:00Z', movesTo('In Progress'))
          .at('2026-03-04T09:00:00Z', movesTo('Done'))
          .onCloud(),
      ),
      jiraIssue('AGE-9').at('2026-03-16T13:00:00Z', movesTo('In Progress'), isAssignedTo('ada')).onCloud(),
      jiraIssue('AGE-10').at('2026-03-18T09:00:00Z', movesTo('In Progress'), isAssignedTo('ada')).onCloud(),
      jiraIssue('AGE-11', { assignee: 'ada' }).onCloud(),
      uncategorized(jiraIssue('LIM-1').onCloud()),
    ]),
    exportFile([{ accountId: 'ada', displayName: 'Ada', emailAddress: 'ada@dwell.example' }]),
  );
});
afterAll(() => place.stop());

async function answerTo(line: string): Promise<Message> {
  return place.slack.answerTo(line);
}

/** Durations such as `2d 3h 40m` in minutes. */
function minutesOf(words: string): number {
  const minutes: Readonly<Record<string, number>> = { d: 1440, h: 60, m: 1 };
  return [...words.matchAll(/(\d+)([dhm])/g)].reduce(
    (sum, [, count, unit = '']) => sum + Number(count) * (minutes[unit] ?? Number.NaN),
    0,
  );
}

test.each([
  ['/tis SUM-1', ['2d 3h 40m', '1d 4h 25m'], '3d 8h 5m'],
  ['/tis SUM-1 in hours', ['51h 40m', '28h 25m'], '80h 5m'],
])('what *Why?* of %s shows adds up to the figure that it explains', async (line, times, sum) => {
  const answer = await answerTo(line);
  await place.slack.clicks('Why?', { on: answer });
  const view = await until(() => {
    const found = place.slack.openModals().at(-1);
    return found !== undefined && JSON.stringify(found.blocks).includes('Made of') ? found : null;
  });
  const text = JSON.stringify(view.blocks);
  const [, figure = ''] = /\\n\*([^*]+)\*/.exec(text) ?? [];
  const parts = [...text.matchAll(/\{"type":"text","text":"([^"]+)","style":\{"bold":true\}\}/g)]
    .map(([, part = '']) => part)
    .filter((part) => /^\d/.test(part));
  expect(figure).toBe(sum);
  expect(parts).toEqual(times);
  expect(parts.reduce((minutes, part) => minutes + minutesOf(part), 0)).toBe(minutesOf(figure));
  await place.slack.dismisses();
});

test('the times of the statuses of an issue add up to the one below them', async () => {
  const { text } = await answerTo('/tis SUM-1');
  const [progress, review, done] = [...text.matchAll(/Times \d, Time ([^,]+), Share \d/g)].map(
    ([, time = '']) => time,
  );
  expect([progress, review, done]).toEqual(['2d 3h 40m', '1d 4h 25m', '3d 8h 5m']);
});

test('the shares of the statuses of an issue add up to 100%', async () => {
  const { blocks } = await answerTo('/tis SHR-1');
  const shares = [...JSON.stringify(blocks).matchAll(/"(\d+)%"/g)].map(([, share]) => Number(share));
  expect(shares).toEqual([34, 33, 33, 100]);
});

test('how long something is against usual is the same figure in Slack and for assistants', async () => {
  expect((await answerTo('/tis aging AGE')).text).toContain('1.9×');
  const ada = await assistantOf(place.dwell, 'ada');
  const { text } = await ada.call('aging_issues', { project: 'AGE' });
  expect(text).toContain('1.9×');
  await ada.close();
});

test('what an admin can do about categories is said once, of statuses without one and of assumed ones', async () => {
  const { text } = await answerTo('/tis aging project in (LIM, SHR) with backlog');
  expect(text).toContain('No category for status Limbo.');
  expect(text).toContain('Assumed category:');
  expect(text.split('An admin can set it')).toHaveLength(2);
});

test('what is not started comes last in Home and in mine, counted, and never in bold', async () => {
  const { text } = await answerTo('/tis mine');
  expect(text).toContain('3 open issues assigned to you · 1 not started · 1 longer than usual');
  expect(text).toMatch(/AGE-9: .*AGE-10: .*AGE-11: /);
  await place.slack.opensHome();
  const home = await until(() => {
    const shown = JSON.stringify(place.slack.home('ada')?.blocks ?? []);
    return shown.includes('AGE-11') && shown.includes('usual up to') ? shown : null;
  });
  expect(home).toContain('*Assigned to you* · 3 open, 1 not started, 1 longer than usual');
  expect(home).toMatch(/AGE-9.*In Progress \*1d 23h\*.*AGE-10.*In Progress 3h .*AGE-11.*To Do 16d 3h"/);
});
