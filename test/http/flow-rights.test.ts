import { afterAll, beforeAll, describe, expect, test } from '#jest';
import { buildTracker } from '../../src/compose/build-tracker.ts';
import { jiraAccount, type StandInJira, startStandInJira } from '../support/stand-in-jira.ts';
import { cast } from '../support/stand-in-jira-cast.ts';
import { createJiraWorld } from '../support/stand-in-jira-world.ts';
import { startDwell, type TestDwell } from '../support/start-dwell.ts';

describe.each(['cloud', 'dataCenter'] as const)('the flow of a project of Jira, %s,', (mode) => {
  let jira: StandInJira;
  let dwell: TestDwell;
  /** The id of a person of the cast. */
  const idOf = (person: number) => cast[person]?.[mode === 'cloud' ? 'accountId' : 'key'] ?? '';
  const [lead, other] = [idOf(9), idOf(15)];

  beforeAll(async () => {
    let now = Date.parse('2026-03-18T12:00:00Z');
    jira = await startStandInJira(createJiraWorld({ issues: 40, seed: 7, clock: () => now, mode }));
    jira.rights.putInCharge('LARK', [9]);
    const { email, token, pat } = jiraAccount;
    dwell = await startDwell({
      at: '2026-03-18T12:00:00Z',
      environment: {
        JIRA_BASE_URL: jira.baseUrl,
        JIRA_REQUESTS_PER_MINUTE: '3000',
        ...(mode === 'cloud' ? { JIRA_EMAIL: email, JIRA_API_TOKEN: token } : { JIRA_PAT: pat }),
      },
      // Time passes between two requests, so that none has to wait for its turn.
      trackerBuilder: (config, parts) => buildTracker(config, { ...parts, now: () => (now += 25) }),
    });
    await dwell.types('sync');
  });
  afterAll(async () => {
    await dwell.stop();
    await jira.close();
    expect(jira.violations).toEqual([]);
  });

  const change = async (person: string, key = 'LARK', admin = false) => {
    const someone = dwell.as(person, { admin });
    const flow = (await someone.get(`/rest/flows/${key}`)).json;
    return someone.putJson(`/rest/flows/${key}`, { ...flow, pauses: !flow.pauses });
  };

  test('is changed by people who can administer the project there, and by admins of Dwell', async () => {
    const { status, json } = await change(lead);
    expect([status, json.changes]).toEqual([200, [{ at: expect.any(String), by: lead }]]);
    expect((await change('boss', 'LARK', true)).json.changes.at(-1).by).toBe('boss');
    expect((await change('boss', 'DESK', true)).status).toBe(200);
    for (const [person, key] of [
      [other, 'LARK'],
      [lead, 'DESK'],
    ] as const) {
      const refused = await change(person, key);
      expect([refused.status, refused.json.messages]).toEqual([
        403,
        [`Only an admin of Dwell, or of the project ${key} in its tracker, can change its flow.`],
      ]);
    }
  });

  test('is changed by admins of Dwell alone where Jira cannot be asked, with the reason', async () => {
    jira.manners.administers = false;
    const { status, json } = await change(lead);
    expect([status, json.reason, json.messages]).toEqual([
      503,
      'tracker-permission-missing',
      [expect.stringMatching(/^Give Dwell's Jira account the global permission 'Administer Jira'/)],
    ]);
    expect(json.message).toMatch(/^Jira does not show who can administer a project: /);
    expect((await change('boss', 'LARK', true)).status).toBe(200);
    jira.manners.administers = true;
  });
});

test('with rules Jira is not asked who administers a project', async () => {
  let now = Date.parse('2026-03-18T12:00:00Z');
  const jira = await startStandInJira(createJiraWorld({ issues: 20, seed: 7, clock: () => now }));
  jira.rights.putInCharge('LARK', [9]);
  const dwell = await startDwell({
    environment: {
      JIRA_BASE_URL: jira.baseUrl,
      JIRA_EMAIL: jiraAccount.email,
      JIRA_API_TOKEN: jiraAccount.token,
      JIRA_RIGHTS: 'rules',
    },
    trackerBuilder: (config, parts) => buildTracker(config, { ...parts, now: () => (now += 150) }),
  });
  await dwell.types('sync');
  const lead = dwell.as(cast[9]?.accountId ?? '');
  const { status, json } = await lead.putJson('/rest/flows/LARK', { revision: 0, isDefault: true });
  expect([status, json.reason]).toEqual([403, 'admin-only']);
  expect(jira.calls.filter(({ path }) => path === '/permissions/check')).toEqual([]);
  await dwell.stop();
  await jira.close();
});
