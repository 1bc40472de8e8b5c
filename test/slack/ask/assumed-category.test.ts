import { beforeAll, expect, test } from '#jest';
import { assistantOf } from '../../mcp/assistant.ts';
import { fixture } from '../../support/fixture.ts';
import { until } from '../../support/local-exports.ts';
import { startDwellInSlack } from '../../support/start-slack.ts';
import { startedOnce } from '../../support/started.ts';

const place = startedOnce(() => startDwellInSlack({ at: '2026-11-16T09:00:00Z' }));
beforeAll(async () => {
  await place.dwell.types(
    'import',
    ...['c11-deleted-status.json', 'statuses.json'].map((name) => fixture(`cases/${name}`)),
  );
});

const assumption = 'Assumed category: In Progress for QA. An admin can set it with `npx dwell statuses`.';

test('an issue that was in a deleted status has a cycle time, with what is assumed', async () => {
  const first = await place.slack.answerTo('/tis DEL-2');
  expect(first.text).toContain('6d');
  expect(JSON.stringify(first)).toContain(assumption);
});

test('a week counts the issues, and *Why?* names what is assumed', async () => {
  const answer = await place.slack.answerTo('/tis weekly DEL W46');
  const text = JSON.stringify(answer);
  expect(text).toContain('Assumed category: In Progress for');
  expect(text).toContain('Review');
  await place.slack.clicks('Why?', { on: answer });
  const view = await until(() => {
    const found = place.slack.openModals().at(-1);
    return found !== undefined && JSON.stringify(found.blocks).includes('Assumed category') ? found : null;
  });
  expect(JSON.stringify(view.blocks)).toContain('An admin can set it with npx dwell statuses.');
});

test('assistants are told as well', async () => {
  const ada = await assistantOf(place.dwell, 'ada');
  const week = await ada.call('weekly_summary', { project: 'DEL', week: '2026-W46' });
  expect(week.text).toContain('Note: Assumed category: In Progress for');
  const { content } = await ada.call('list_statuses', { name: 'QA' });
  expect(content).toMatchObject({
    statuses: [{ id: '901', category: 'In Progress', categoryFrom: 'neighbors' }],
  });
  await ada.close();
});
