import { describe, expect, test } from '#jest';
import type { View } from '../../../playground/open-views.ts';
import type { Message } from '../../../playground/workspace.ts';
import { checkBlocks } from '../../../src/slack/blocks/check-blocks.ts';
import { exportFile, jiraIssue, movesTo, type RawIssue } from '../../support/jira-export.ts';
import { until } from '../../support/local-exports.ts';
import { startDwellInSlack } from '../../support/start-slack.ts';
import { startedOnce } from '../../support/started.ts';
import { rowsOf } from '../../support/table-rows.ts';

const DAY = 86_400_000;
/** A Monday. */
const MONDAY = Date.parse('2026-03-16T00:00:00Z');
const iso = (at: number) => new Date(at).toISOString();

/** Issues that were in progress for some days, and finished at noon of these days before the Monday. */
const finished = (project: string, daysBefore: readonly number[], took = 2): readonly RawIssue[] =>
  daysBefore.map((day, i) => {
    const done = MONDAY - day * DAY + DAY / 2;
    return jiraIssue(`${project}-${i + 1}`, { created: iso(done - (took + 7) * DAY) })
      .at(iso(done - took * DAY), movesTo('In Progress'))
      .at(iso(done), movesTo('Done'))
      .onCloud();
  });
const open = (project: string, count: number, created = MONDAY - 200 * DAY) =>
  Array.from({ length: count }, (_, i) =>
    jiraIssue(`${project}-${500 + i}`, { created: iso(created) }).onCloud(),
  );
const started = (key: string, days: number) =>
  jiraIssue(key, { created: iso(MONDAY - 80 * DAY) })
    .at(iso(MONDAY - days * DAY), movesTo('In Progress'))
    .onCloud();
const weekdays = (weeks: number, from = 0) =>
  Array.from({ length: weeks }, (_, week) => [7, 6, 5, 4, 3].map((day) => 7 * (week + from) + day)).flat();

const issues: readonly RawIssue[] = [
  // One each working day; ten that are open, of which two have been in progress for three and sixty days.
  ...[...finished('WEB', weekdays(12)), ...open('WEB', 8), started('WEB-903', 3), started('WEB-960', 60)],
  ...[...finished('OAK', weekdays(3)), ...open('OAK', 7)],
  // Nothing in three of eleven weeks.
  ...finished('ELM', [...weekdays(2), ...weekdays(2, 3), ...weekdays(1, 6), ...weekdays(3, 8)]),
  ...[
    ...finished('FIR', [...weekdays(6), ...weekdays(6, 6), ...weekdays(6, 6)]),
    ...open('FIR', 90, MONDAY - 10 * DAY),
  ],
  ...[...finished('BOX', weekdays(4), 10), started('BOX-900', 4), ...open('BOX', 1)],
];
const statuses = [
  { id: '7', name: 'To Do', statusCategory: { key: 'new' } },
  { id: '8', name: 'In Progress', statusCategory: { key: 'indeterminate' } },
  { id: '10', name: 'Done', statusCategory: { key: 'done' } },
];

const place = startedOnce(async () => {
  const world = await startDwellInSlack({
    at: iso(MONDAY),
    environment: { TRACKER: 'file', TIME_ZONE: 'UTC' },
    people: [{ id: 'U0ADA', name: 'ada', realName: 'Ada', email: 'ada@example.com', tz: 'UTC' }],
  });
  const people = [{ accountId: 'ada', displayName: 'Ada', emailAddress: 'ada@example.com' }];
  await world.dwell.types('import', exportFile(issues), exportFile(people));
  await world.dwell.types('import', exportFile(statuses, 'statuses.json'));
  await world.dwell.types('people', '--link', 'U0ADA', '--to', 'ada');
  await world.slack.answerTo('/tis calendar zone UTC', { as: 'ada' });
  return world;
});

const asks = async (line: string): Promise<Message> => {
  const answer = await place.slack.answerTo(line, { as: 'ada' });
  expect(checkBlocks(answer.blocks ?? [], 'message')).toEqual([]);
  return answer;
};
const shown = ({ blocks }: Message) => JSON.stringify(blocks);

describe('a forecast', () => {
  test.each(
    rowsOf(`
    forecast WEB 20 issues → 20 issues in WEB will be done by Apr 10 (85%) · even odds: Apr 10 · nearly sure (95%): Apr 10.
    forecast 20 issues in WEB → 20 issues in WEB will be done by Apr 10 (85%)
    forecast WEB by Apr 2 → 14 or more issues in WEB will be done by Apr 2 (85%) · even odds: 14 · nearly sure (95%): 14.
    forecast WEB until next friday in 24/7 → 10 or more issues in WEB will be done by Mar 27 (85%)
    forecast WEB → All 10 open issues in WEB will be done by Mar 27 (85%)
    forecast jql project = WEB ORDER BY created → All 10 open issues matching the filter will be done by Mar 27 (85%)
    forecast WEB-903 WEB-960 → All 2 open issues (WEB-903, WEB-960) will be done by Mar 17 (85%)
    forecast WEB 5000 issues → 5,000 issues in WEB will not be done within five years (85%) · even odds: later than in five years
    when will 20 issues in WEB be done? → I read this as \`/tis forecast 20 issues in WEB\`. 20 issues in WEB will be done by Apr 10 (85%)
    when can we finish the open issues in WEB → I read this as \`/tis forecast WEB\`. All 10 open issues
    how many issues will WEB finish by Apr 2? → I read this as \`/tis forecast WEB by Apr 2\`. 14 or more issues
    how many tickets in WEB will be done by Apr 2 → I read this as \`/tis forecast WEB by Apr 2\`. 14 or more issues
  `),
  )('/tis %s', async (line, expected) => {
    expect((await asks(`/tis ${line}`)).text).toContain(expected);
  });

  test('says what it is made from, and shows the chance by date where it differs', async () => {
    const answer = await asks('/tis forecast FIR 30 issues');
    expect(answer.text).toContain('From 12 weeks of finished work (5 to 10 a week).');
    expect(shown(answer)).toContain('"title":"Chance to be done by date"');
    expect(shown(answer)).toMatch(/"label":"Apr \d+ \(50%\)"/);
    expect(shown(await asks('/tis forecast WEB 20 issues'))).not.toContain('data_visualization');
  });

  test('says its doubts: throughput that changed, scope that grows', async () => {
    const { text } = await asks('/tis forecast FIR');
    expect(text).toContain(
      'Throughput fell by 50%: 10 a week before, 5 a week in the last 6 weeks. From these alone: Jul 17 (85%).',
    );
    expect(text).toContain(
      'The scope grows: 166 issues arrived in these weeks, 90 were finished. New issues are not in the forecast.',
    );
    expect((await asks('/tis forecast WEB')).text).not.toMatch(/Throughput|scope/);
  });

  test('says that work comes in bursts', async () => {
    expect((await asks('/tis forecast ELM 10 issues')).text).toContain(
      'In 3 of 11 weeks nothing was finished, so this is less sure than it looks.',
    );
  });

  test('of one issue compares it with those that were as old', async () => {
    const { text } = await asks('/tis forecast BOX-900');
    expect(text).toContain('Will be done by Mar 21 (85%) · even odds: Mar 21 · nearly sure (95%): Mar 21.');
    expect(text).toContain(
      'From 20 issues finished in the last 90 days that took 4d or longer and were In Progress.',
    );
  });

  test.each(
    rowsOf(`
    forecast OAK → I need 5 weeks with finished issues to forecast; OAK has 3. Try again after Mar 30.
    forecast jql project = OAK → I need 5 weeks with finished issues to forecast; there are 3. Try again after Mar 30.
    forecast jql project = WEB AND status = Done → No open issues matching the filter, so there is nothing to forecast.
    forecast WEB-960 → I need 10 issues finished in the last 90 days that took as long as WEB-960 has so far (60d); there are 0. See where it is: \`/tis WEB-960\`
    forecast WEB-500 → WEB-500 is not started, so I can't say when it will be done. All that is open: \`/tis forecast WEB\`
    when will WEB-1 be done? → ✅ WEB-1 was done on Mar 9.
  `),
  )('/tis %s says why there is none, and what works', async (line, expected) => {
    expect((await asks(`/tis ${line}`)).text).toContain(expected);
  });

  test.each(
    rowsOf(`
    forecast WEB 0 issues → "0" is not a number of issues. Try: 1 to 100,000.
    forecast WEB by yesterdayish → I don't know the day "yesterdayish". Try: by Dec 24.
    forecast WEB by 2026-01-01 → "2026-01-01" is in the past. Try: a later day.
    forecast WEB 5 issues by Apr 2 → A forecast takes a number or a day, not both. Try: 5 issues alone.
    forecast NOPE 20 issues → I couldn't find a project or an issue "NOPE".
    forecast sprint → No sprint is running here. Try: a project such as WEB, or sprint NAME.
  `),
  )('/tis %s is refused with what works', async (line, expected) => {
    const answer = await asks(`/tis ${line}`);
    expect(answer.text).toContain(expected);
    expect(shown(answer)).toContain('/tis forecast ');
  });

  test('is the same twice, and Why? explains it', async () => {
    const [one, other] = [
      await asks('/tis forecast FIR 30 issues'),
      await asks('/tis forecast FIR 30 issues'),
    ];
    expect(other.text).toBe(one.text);
    await place.slack.clicks('Why?', { on: other, as: 'ada' });
    const view = await until(() => {
      const text = JSON.stringify(place.slack.openModals('ada').at(-1)?.blocks ?? '');
      return text.includes('10,000 trials') ? text : null;
    });
    expect(view).toContain('Chance to be done by');
    expect(view).toContain('5 issues');
    await place.slack.dismisses({ as: 'ada' });
  });

  test('is posted as a digest', async () => {
    expect((await asks('/tis digest forecast WEB 20 issues every Monday at 9')).text).toContain(
      "I'll post *forecast WEB 20 issues* in <#C0GENERAL> every Monday at 9:00 AM (UTC).",
    );
  });
});

describe('the report builder', () => {
  const filled = (): Promise<View> =>
    until(() => place.slack.openModals('ada').find(({ callback_id: id }) => id === 'report-builder') ?? null);
  const opens = async (line: string) => {
    const answer = await asks(line);
    await place.slack.clicks('Change', { on: answer, as: 'ada' });
    await filled();
    return answer;
  };

  test.each(['/tis forecast WEB 20 issues', '/tis forecast WEB by Apr 2', '/tis forecast WEB'])(
    'opened from %s gives the same',
    async (line) => {
      const { text } = await opens(line);
      await place.slack.submits({}, { as: 'ada' });
      await until(() =>
        JSON.stringify(place.slack.openModals('ada')).includes('The answer is in') ? true : null,
      );
      expect((await place.slack.privateReply()).text).toBe(text);
      await place.slack.dismisses({ as: 'ada' });
    },
  );

  test.each([
    [{ count: 'many' }, 'count', 'Type a whole number from 1 to 100,000, such as 20.'],
    [{ count: '5', until: '2026-04-02' }, 'until', 'Choose a number of issues or a day, not both.'],
    [{ until: '2026-03-01' }, 'until', 'This day is in the past.'],
  ])('refuses %j at its field', async (entries, field, problem) => {
    await opens('/tis forecast WEB');
    const { errors } = await place.slack.submits(entries, { as: 'ada' });
    expect(Object.entries(errors).map(([name, text]) => [name.split('.')[0], text])).toEqual([
      [field, problem],
    ]);
    await place.slack.dismisses({ as: 'ada' });
  });
});
