import { afterEach, beforeEach, expect, test } from '#jest';
import { until } from '../../support/local-exports.ts';
import { startTeamInSlack } from '../../support/team-in-slack.ts';

let world: Awaited<ReturnType<typeof startTeamInSlack>>;
beforeEach(async () => {
  world = await startTeamInSlack();
});
afterEach(() => world.stop());

test('whom the tracker knows may have others told', async () => {
  const { text } = await world.says('/tis watch "In Progress" longer than 2 hours in APP');
  expect(text).toContain('It tells who is in charge');
  expect(text).not.toContain('/tis link');
});

test('a status nothing is in now is told apart from one nothing was ever in', async () => {
  const left = await world.says('/tis watch "In Progress" longer than 2 hours in WEB');
  expect(left.text).toContain('Nothing is in In Progress now.');
  const never = await world.says(
    '/tis watch "In Progress" longer than 2 hours in jql key = WEB-1 AND status = "To Do"',
  );
  expect(never.text).toContain('that you can see was ever in In Progress');
});

test('the list that Home sends shows what was done in it', async () => {
  const { slack } = world;
  await world.says('/tis watch "In Progress" longer than 2 hours in APP');
  await slack.opensHome();
  await until(() => JSON.stringify(slack.home()?.blocks).includes('All watches'));
  await slack.clicks('All watches', { on: 'home' });
  expect((await slack.reply()).text).toContain('Watching');
  await slack.clicks('watch-pause', { in: 'dm' });
  const list = await slack.updated();
  expect(list.text).toContain('Paused');
  expect(JSON.stringify(list.blocks)).toContain('watch-resume');
  await slack.clicks('watch-delete', { in: 'dm' });
  expect((await slack.updated()).text).toContain('You have no watches.');
});
