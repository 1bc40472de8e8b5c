import { afterEach, beforeEach, expect, test } from '#jest';
import { startTeamInSlack } from '../../support/team-in-slack.ts';

let place: Awaited<ReturnType<typeof startTeamInSlack>>;
beforeEach(async () => {
  place = await startTeamInSlack();
});
afterEach(() => place.stop());

const list = '/tis project WEB list';
const keysIn = (message: { readonly blocks?: unknown }) =>
  new Set(JSON.stringify(message.blocks).match(/WEB-\d+/g) ?? []);

test('a private list becomes its other part, of the same instant, and back', async () => {
  const first = await place.says(list, { as: 'bob' });
  expect(keysIn(first).size).toBe(10);
  const before = /as of [^·]+/.exec(first.text)?.[0];
  place.dwell.clock.now += 3_600_000;
  await place.slack.clicks('Next', { as: 'bob', on: first });
  const second = await place.slack.updated();
  expect([second.ts, second.onlyFor]).toEqual([first.ts, 'U0BOB']);
  expect(keysIn(second).size).toBe(2);
  expect([...keysIn(second)].filter((key) => keysIn(first).has(key))).toEqual([]);
  expect(second.text).toContain(before);
  await place.slack.clicks('Previous', { as: 'bob', on: second });
  expect(keysIn(await place.slack.updated())).toEqual(keysIn(first));
  expect(place.openIn()).toEqual([]);
});

test('the other part of a shared list is for who clicks alone', async () => {
  const first = await place.says(list);
  await place.slack.clicks('Share to channel', { on: first });
  const shared = await place.slack.reply();
  await place.slack.clicks('Next', { as: 'bob', on: shared });
  const second = await place.privateWord();
  expect(second.onlyFor).toBe('U0BOB');
  expect(keysIn(second).size).toBe(2);
  expect(place.openIn()).toEqual([shared]);
});

test('who clicks sees no more than they may', async () => {
  await place.dwell.types('audience', 'C0TEAM', 'allow', 'WEB,OPS');
  const answer = await place.says('/tis jql key in (OPS-1, WEB-1, WEB-2) OR project = WEB ORDER BY key list');
  await place.slack.clicks('Share to channel', { on: answer });
  const shared = await place.slack.reply();
  expect(JSON.stringify(shared)).toContain('OPS-1');
  await place.slack.clicks('Next', { as: 'bob', on: shared });
  const other = await place.privateWord();
  expect(other.onlyFor).toBe('U0BOB');
  expect(JSON.stringify(other)).not.toContain('What OPS-1');
});

test('who may see nothing of it is told so, and not what it is', async () => {
  await place.dwell.types('audience', 'C0TEAM', 'allow', 'WEB,OPS');
  const answer = await place.says('/tis jql project in (WEB, OPS) ORDER BY key list');
  await place.slack.clicks('Share to channel', { on: answer });
  const shared = await place.slack.reply();
  await place.slack.clicks('Next', { as: 'bob', on: shared });
  expect((await place.privateWord()).text).toBe(
    'You may not see what this is about, or it is not there any more.',
  );
});
