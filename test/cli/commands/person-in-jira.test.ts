import { expect, test } from '#jest';
import { jiraAccount, startStandInJira } from '../../support/stand-in-jira.ts';
import { cast } from '../../support/stand-in-jira-cast.ts';
import { createJiraWorld } from '../../support/stand-in-jira-world.ts';
import { startDwell } from '../../support/start-dwell.ts';

const AT = Date.parse('2026-03-18T12:00:00Z');
/** Not the account that Dwell has in Jira. */
const person = cast[1]?.accountId ?? '';

test('stays erased when Jira shows the person in issues, groups and roles again', async () => {
  const world = createJiraWorld({ issues: 8, seed: 7, longest: 20, clock: () => AT });
  const jira = await startStandInJira(world, { validate: false });
  const dwell = await startDwell({
    at: new Date(AT).toISOString(),
    environment: {
      ...{ JIRA_BASE_URL: jira.baseUrl, JIRA_EMAIL: jiraAccount.email, JIRA_API_TOKEN: jiraAccount.token },
      ...{ JIRA_REQUESTS_PER_MINUTE: '3000', JIRA_RIGHTS: 'rules' },
    },
  });
  await dwell.types('sync');
  const [first = ''] = (await dwell.types('person', 'erase', person, '--yes')).lines;
  const [, pseudonym = ''] = /\((erased-[0-9a-f]{16})\)\.$/.exec(first) ?? [];

  dwell.clock.now += 3_600_000;
  for (const key of world.keys()) world.changeSilently(key, 1, true);
  for (const key of world.keys()) world.edit(key);
  await dwell.types('sync', '--compare');
  const { text, json } = await dwell.as('ops', { admin: true }).get('/rest/issues/v2', {
    ...{ filterType: 'customjql', customjql: `assignee = "${pseudonym}"`, columnsBy: 'assigneeDuration' },
  });
  expect(json.table.body.rows).toHaveLength(8);
  expect(text).toContain(`"id":"${pseudonym}"`);
  expect(text).not.toContain(person);
  expect((await dwell.types('person', 'erase', person, '--dry-run')).lines[1]).toContain(
    'Nothing was replaced',
  );
  await dwell.stop();
  await jira.close();
});
