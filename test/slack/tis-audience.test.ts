import { afterEach, describe, expect, test } from '#jest';
import type { Channel, Person } from '../../playground/playground-options.ts';
import { startDwellInSlack } from '../support/start-slack.ts';
import { startTeamInSlack } from '../support/team-in-slack.ts';

const person = (name: string, more: Partial<Person> = {}): Person => ({
  ...{ id: `U0${name.toUpperCase()}`, name, realName: name, email: `${name}@example.com`, tz: 'UTC' },
  ...more,
});
const members = ['U0ADA', 'U0BOB'];
const channels: readonly Channel[] = [
  { id: 'C0WEB', name: 'web', members },
  { id: 'C0OPEN', name: 'open' },
];

/** The sample's company, in which ada is an admin. */
const startCompany = () =>
  startDwellInSlack({
    ...{ people: [person('ada'), person('bob'), person('gus', { guest: true })], channels },
    environment: { TRACKER: 'sample', TIME_ZONE: 'UTC' },
  });

let place: Awaited<ReturnType<typeof startDwellInSlack>>;
afterEach(() => place.stop());

async function said(line: string, { as = 'ada', in: where = 'web' } = {}): Promise<string> {
  await place.slack.types(`/tis audience ${line}`.trim(), { as, in: where });
  const { onlyFor, text } = await place.slack.reply();
  expect(onlyFor).toBe(`U0${as.toUpperCase()}`);
  return text;
}

describe('where the tracker has admins', () => {
  test('an admin allows, forbids and resets; everybody may read what holds', async () => {
    place = await startCompany();
    const bob = { as: 'bob' };
    expect(await said('', bob)).toContain('No admin has said what this channel may read of');
    expect(await said('', bob)).toContain('Only people of this workspace read here.');
    expect(await said('allow web, app')).toContain('From now on: This channel may read of `APP`, `WEB`.');
    expect(await said('allow OPS with guests')).toContain('`APP`, `OPS` (with guests), `WEB`');
    expect(await said('forbid APP')).toContain('`OPS` (with guests), `WEB`.');
    expect(await said('', bob)).toContain('`OPS` (with guests), `WEB`.');
    expect(await said('', { in: 'open' })).toContain('This channel has guests.');
    expect(await said('forbid OPS,WEB')).toContain('This channel may read of no project.');
    expect(await said('reset')).toContain('No admin has said');
  });

  test('nobody else changes it', async () => {
    place = await startCompany();
    for (const line of ['allow WEB', 'forbid WEB', 'reset']) {
      expect(await said(line, { as: 'bob' })).toBe(
        'Only an admin of the tracker can say what a channel may read of.',
      );
    }
    expect(await said('', { as: 'bob' })).toContain('No admin has said');
  });

  test.each([
    ['allow', 'project is missing behind allow'],
    ['allow NOPE', "project 'NOPE' could not be found"],
    ['allow W-1', "project 'W-1' is not a project key"],
    ['allow <!channel>', "project '&lt;!channel&gt;' is not a project key"],
    ['forbid WEB', "project 'WEB' is not in the channel's list; in it: none."],
    ['reset WEB', "'WEB' is too much"],
    ['open', "'open' is not known. Try: allow, forbid, reset"],
  ])('%s is refused with what is allowed', async (line, words) => {
    place = await startCompany();
    const text = await said(line);
    expect(text).toContain(words);
    expect(text).toContain('Type `/tis audience [allow');
    expect(await said('')).toContain('No admin has said');
  });

  test('in the conversation with the app there is nothing to say', async () => {
    place = await startCompany();
    expect(await said('', { in: 'dm' })).toContain('Only you and I read here.');
  });
});

describe('where the tracker has no admins', () => {
  test('the command line is named, word by word', async () => {
    const team = await startTeamInSlack();
    place = team;
    expect(await said('allow WEB,OPS with guests', { in: 'team' })).toContain(
      'Dwell knows no admins of the tracker, so this is said on the command line: `npm run --silent dwell -- audience C0TEAM allow WEB OPS --with-guests`',
    );
    const { lines } = await team.dwell.types('audience', 'C0TEAM', 'allow', 'WEB', 'OPS', '--with-guests');
    expect(lines).toEqual(['C0TEAM may read of:', 'OPS  with guests', 'WEB  with guests']);
    expect(await said('', { in: 'team' })).toMatch(
      /`OPS` \(with guests\), `WEB` \(with guests\).* Whoever runs Dwell can change it: `npm run --silent dwell -- audience C0TEAM allow PROJECT`\./,
    );
  });

  test('a project somebody cannot see is counted, not named', async () => {
    const team = await startTeamInSlack();
    place = team;
    await team.dwell.types('audience', 'C0TEAM', 'allow', 'WEB,OPS');
    const text = await said('', { as: 'bob', in: 'team' });
    expect(text).toContain('`WEB`, and of 1 project you cannot see.');
    expect(text).not.toContain('OPS');
  });
});
