import { millisecondsInDay } from 'date-fns/constants';
import { afterEach, beforeEach, expect, test } from '#jest';
import { startTeamInSlack } from '../../support/team-in-slack.ts';

let world: Awaited<ReturnType<typeof startTeamInSlack>>;
beforeEach(async () => {
  world = await startTeamInSlack();
});
afterEach(() => world.stop());
const told = 'The data ends on <!date^';

test('a week that the data does not reach is told of as not known, and that the data ends before it', async () => {
  expect(JSON.stringify(await world.says('/tis weekly WEB'))).not.toContain('The data ends');
  world.dwell.clock.now += 7 * millisecondsInDay;
  const answer = await world.says('/tis weekly WEB');
  expect(JSON.stringify(answer.blocks)).toContain(told);
  expect(answer.text).toContain('The data ends on 2026-03-18 12:00 UTC, before this week’s end: ');
  expect(answer.text).toContain('Nothing is known to have been finished in week 12');
  expect(answer.text).not.toContain('no time was spent');
});

test.each(['aging WEB', 'WEB', 'compare WEB with APP'])(
  'that the data behind %s has not been taken anew for more than two days is said',
  async (question) => {
    world.dwell.clock.now += 2 * millisecondsInDay;
    expect((await world.says(`/tis ${question}`)).text).not.toContain('The data ends');
    world.dwell.clock.now += 60_000;
    expect((await world.says(`/tis ${question}`)).text).toContain(
      'The data ends on 2026-03-18 12:00 UTC: what happened later is missing here.',
    );
  },
);

test('a digest about which the data says nothing any more is not silent', async () => {
  await world.says('/tis digest weekly WEB every monday at 9');
  world.dwell.clock.now += 21 * millisecondsInDay;
  await world.says('/tis digest');
  await world.slack.clicks('digest-preview');
  expect((await world.privateWord()).text).toBe('This is what everybody in the channel would read now:');
  expect((await world.privateWord()).text).toContain('The data ends on 2026-03-18');
});
