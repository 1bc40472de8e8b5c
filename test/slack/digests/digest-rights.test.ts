import { afterEach, beforeEach, expect, test } from '#jest';
import { startTeamInSlack } from '../../support/team-in-slack.ts';

let world: Awaited<ReturnType<typeof startTeamInSlack>>;
beforeEach(async () => {
  world = await startTeamInSlack();
});
afterEach(() => world.stop());

/** Ada's digest is handed over to somebody: what is told to her. */
async function handOver(owner: string): Promise<string> {
  await world.says('/tis digest');
  await world.slack.clicks('digest-hand-over');
  await world.slack.modal();
  await world.slack.submits({ owner });
  await world.slack.modal();
  return JSON.stringify(await world.slack.modal());
}

test('the list of a channel tells others what a digest asks where they could ask it, and no more of others', async () => {
  await world.says('/tis digest project OPS every day at 9');
  const closed = await world.says('/tis digest', { as: 'bob' });
  expect(closed.text).toContain('*A digest* of what you may not see');
  expect(closed.text).toContain('every day at 09:00 (UTC) in <#C0TEAM>');
  expect(closed.text).toContain('of ada');
  expect(JSON.stringify(closed)).not.toContain('OPS');
  expect((await world.says('/tis digest')).text).toContain('*project OPS*: ');

  await world.says('/tis digest jql project in (OPS, APP) every day at 9');
  await world.says('/tis digest aging WEB every day at 9');
  const listed = (await world.says('/tis digest', { as: 'bob' })).text;
  expect(listed).toContain('*aging WEB*\n');
  expect(listed.match(/\*A digest\* of what you may not see/g)).toHaveLength(2);
  expect(listed).not.toMatch(/OPS|APP/);
});

test('who lacks the rights for what a digest asks does not become its owner', async () => {
  await world.says('/tis digest project OPS every day at 9 to me');
  expect(await handOver('U0BOB')).toContain('With the rights of bob it cannot be asked');
  expect((await world.says('/tis digest')).text).toContain('*project OPS*');
});

test('that a new owner sees fewer issues is said to both sides', async () => {
  await world.says('/tis digest jql project in (APP, WEB) every day at 9 to me');
  const said = 'With the rights of bob it tells of 14 issues, not of 15.';
  expect(await handOver('U0BOB')).toContain(said);
  expect(world.slack.messages({ channel: 'dm', as: 'bob' }).at(-1)?.text).toContain(said);
});
