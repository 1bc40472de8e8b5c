import { millisecondsInHour, millisecondsInMinute } from 'date-fns/constants';
import { afterEach, describe, expect, test } from '#jest';
import { buildTracker } from '../../src/compose/build-tracker.ts';
import { jiraAccount, startStandInJira } from '../support/stand-in-jira.ts';
import { cast, type JiraMode } from '../support/stand-in-jira-cast.ts';
import { altered } from '../support/stand-in-jira-faults.ts';
import type { Holder } from '../support/stand-in-jira-rights.ts';
import { createJiraWorld } from '../support/stand-in-jira-world.ts';
import { startDwell } from '../support/start-dwell.ts';

const AT = '2026-03-18T12:00:00Z';
const MORE = 12;
/** Who asks, another one, and who is in no project but one: indexes of the cast. */
const [ADA, BOB, EVE] = [9, 15, 4];

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

/** A Dwell beside a Jira with many projects, each with an issue and a permission scheme of its own. */
async function start(mode: JiraMode) {
  let now = Date.parse(AT);
  const world = createJiraWorld({ issues: 0, seed: 7, clock: () => now, mode, more: { projects: MORE } });
  for (const { key } of world.projects) world.add(1, key);
  const jira = await startStandInJira(world);
  const team = (...people: number[]): Holder => ({ type: 'projectRole', people, group: null });
  for (const [i, { key }] of world.projects.entries()) {
    jira.rights.grant(key, [team(ADA, i % cast.length), { type: 'user', person: i % 3 }, team(BOB)]);
  }
  const { email, token, pat } = jiraAccount;
  const dwell = await startDwell({
    at: AT,
    environment: {
      JIRA_BASE_URL: jira.baseUrl,
      JIRA_REQUESTS_PER_MINUTE: '3000',
      ...(mode === 'cloud' ? { JIRA_EMAIL: email, JIRA_API_TOKEN: token } : { JIRA_PAT: pat }),
    },
    // Time passes between two requests, so that none has to wait for its turn.
    trackerBuilder: (config, parts) => buildTracker(config, { ...parts, now: () => (now += 25) }),
  });
  open.push(async () => {
    await dwell.stop();
    await jira.close();
    expect(jira.violations).toEqual([]);
  });
  return {
    ...{ jira, world, dwell, team },
    projects: world.projects.map(({ key }) => key),
    pass(ms: number) {
      now += ms;
    },
    /** Asks for all issues: the status, the number of issues, and the requests to Jira that it took. */
    async asks(person: number) {
      const asker = dwell.as(cast[person]?.[mode === 'cloud' ? 'accountId' : 'key'] ?? '');
      const before = jira.calls.length;
      const { status, json } = await asker.get('/rest/issues', {
        ...{ filterType: 'customjql', customjql: 'project is not EMPTY', columnsBy: 'statusDuration' },
        ...{ calendar: 'normalHours', pageSize: '1000' },
      });
      return { status, total: json.total, requests: jira.calls.length - before };
    },
  };
}

describe.each(['cloud', 'dataCenter'] as const)(
  'a first question to a Jira %s with many projects',
  (mode) => {
    test('takes ten requests at most, whoever asks, and a removed right is noticed', async () => {
      const { jira, dwell, projects, team, pass, asks } = await start(mode);
      await dwell.types('sync');
      const first = await asks(ADA);
      expect(first).toMatchObject({ status: 200, total: projects.length });
      expect(first.requests).toBeLessThanOrEqual(10);
      expect((await asks(EVE)).total).toBe(1);

      // Within the five minutes for which an answer is good.
      const [gone = '', narrowed = ''] = projects;
      jira.rights.grant(gone, [team(BOB)]);
      jira.rights.grant(narrowed, [{ type: 'reporter' }, team(BOB)]);
      expect((await asks(ADA)).total).toBe(projects.length);
      // Cloud answers for each project; what is stored is from before.
      pass(5 * millisecondsInMinute);
      expect((await asks(ADA)).total).toBe(projects.length - (mode === 'cloud' ? 1 : 0));
      pass(10 * millisecondsInMinute);
      await dwell.types('sync');
      const later = await asks(ADA);
      expect(later.total).toBe(projects.length - 2);
      expect(later.requests).toBeLessThanOrEqual(10);
      expect((await asks(BOB)).total).toBe(projects.length);
    });

    test('asks Jira itself where what is stored is too old, and is refused where Jira does not answer', async () => {
      const { jira, dwell, projects, pass, asks } = await start(mode);
      await dwell.types('sync');
      pass(millisecondsInHour + millisecondsInMinute);
      jira.faults.push(
        '/permissionscheme',
        altered(() => ({})),
        Number.POSITIVE_INFINITY,
      );
      expect(await asks(ADA)).toMatchObject({ status: 503, total: undefined });
      jira.faults.clear();
      pass(millisecondsInMinute);
      const answer = await asks(ADA);
      expect(answer).toMatchObject({ status: 200, total: projects.length });
      expect(answer.requests).toBeGreaterThan(projects.length);
    });
  },
);
