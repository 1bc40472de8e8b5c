import { afterEach, expect, test } from '#jest';
import type { buildTracker } from '../../src/build-tracker.ts';
import type { BrowsePermissions } from '../../src/model/permissions.ts';
import { aSync, standInSync } from '../support/stand-in-sync.ts';
import { startDwellInSlack } from '../support/start-slack.ts';
import { startTeamInSlack } from '../support/team-in-slack.ts';

const problem = { at: Date.parse('2026-03-18T11:00:00Z'), message: 'https://jira.internal:8443 is silent.' };
const { trackerBuilder: kept } = standInSync({ status: aSync({ issues: 12_345, problem }) });

const permissionsOf = (...projects: string[]): BrowsePermissions => ({
  ...{ projects: new Set(projects), closedProjects: new Set<string>() },
  ...{ issues: new Set<string>(), unasked: 0 },
});

/** Issues that are kept fresh; the tracker itself opens WEB to ada, and nothing to anybody else. */
const trackerBuilder: typeof buildTracker = async (config, parts) => {
  const built = await kept(config, parts);
  return {
    ...built,
    async mirror() {
      const mirror = await built.mirror();
      return {
        ...mirror,
        directoryFor: async ({ account: user }) => ({
          ...(await mirror.directory()),
          permissions: user === 'ada' ? permissionsOf('WEB') : permissionsOf(),
        }),
      };
    },
  };
};

let place: { readonly stop: () => Promise<void> };
afterEach(() => place.stop());

async function startTeam() {
  const team = await startTeamInSlack('http', { trackerBuilder });
  place = team;
  return team;
}

test('who sees no issue is not told that there are none, and who is not known reads what to do', async () => {
  const { says } = await startTeam();
  const zoe = (await says('/tis WEB-404', { as: 'zoe' })).text;
  expect(zoe).toContain(
    'There is no issue here that everybody may see, and I do not know who you are in the tracker: say it with `/tis link`.',
  );
  const bob = (await says('/tis WEB-404', { as: 'bob' })).text;
  expect(bob).toContain(
    'There is no issue here that you may see. `/tis status` tells how fresh they are, and who you are to me.',
  );
  for (const text of [zoe, bob]) expect(text).not.toMatch(/no issues here yet|import/i);
  expect((await says('/tis WEB-404')).text).toMatch(/Try `\/tis WEB-\d+`/);
});

test('where issues are imported, who sees none reads how some come here, or whom to ask', async () => {
  const person = { id: 'U0ADA', name: 'ada', realName: 'ada', email: 'ada@example.com', tz: 'UTC' };
  const empty = await startDwellInSlack({
    ...{ people: [person], channels: [{ id: 'C0WEB', name: 'web', members: ['U0ADA'] }] },
    environment: { TRACKER: 'file', TIME_ZONE: 'UTC' },
  });
  place = empty;
  await empty.slack.types('/tis WEB-404', { as: 'ada', in: 'web' });
  expect((await empty.slack.reply()).text).toContain(
    'Import some with `npm run dwell -- import FILE`, or ask an admin whether you may see any.',
  );
});

test('a channel of which no admin has said anything reads nothing, and is told what is needed', async () => {
  const { says, slack, privateWord, openIn } = await startTeam();
  const shut = 'No admin has said what this channel may read of, so I share nothing: ';
  expect((await says('/tis audience')).text).toContain(shut);
  await slack.clicks('share-answer', { on: await says('/tis project WEB') });
  expect((await privateWord()).text).toBe(
    'This stays between us. The tracker itself decides who may see what, so nothing is shared here before an admin has said what this channel may read of. Whoever runs Dwell does so with `npm run --silent dwell -- audience C0TEAM allow WEB`.',
  );
  expect(openIn()).toEqual([]);
  const status = (await says('/tis status')).text;
  expect(status).toContain(shut);
  expect(status).toContain('`npm run --silent dwell -- audience C0TEAM allow PROJECT`');
});

test('/tis status tells who is no admin how fresh the data is and what they may see, that it fails, not how much there is', async () => {
  const { says } = await startTeam();
  const { text } = await says('/tis status');
  expect(text).toContain('*Tracker* example.atlassian.net, fresh as of');
  expect(text).toContain('*Issues* 12 that you may see.');
  expect(text).toMatch(
    /The last look at it failed at .*; whoever runs Dwell finds why with `npm run --silent/,
  );
  expect(text).not.toMatch(/12,345|kept here|internal/);
});
