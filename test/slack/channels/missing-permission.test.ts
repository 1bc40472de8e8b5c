import { setTimeout } from 'node:timers/promises';
import { pino } from 'pino';
import { afterEach, describe, expect, test } from '#jest';
import { buildTracker } from '../../../src/compose/build-tracker.ts';
import { type JiraOptions, jiraAccount, startStandInJira } from '../../support/stand-in-jira.ts';
import { cast, projects } from '../../support/stand-in-jira-cast.ts';
import { createJiraWorld } from '../../support/stand-in-jira-world.ts';
import { standInPeople } from '../../support/stand-in-slack.ts';
import { startDwellInSlack } from '../../support/start-slack.ts';

const at = '2026-03-16T08:00:00Z';
const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

/** A member of the cast who may browse every project that is open to all. */
const member = cast[5] ?? { name: '', accountId: '', key: '' };

/** A Dwell in Slack whose Jira account lacks something, with all issues read. */
async function start(mode: 'cloud' | 'dataCenter', manners: JiraOptions['manners'] = {}) {
  let now = Date.parse(at);
  const world = createJiraWorld({ issues: 40, seed: 7, clock: () => now, mode });
  const jira = await startStandInJira(world, { manners });
  open.push(() => jira.close());
  for (const { key } of projects) jira.rights.open(key, null);
  const [first] = standInPeople;
  if (first === undefined) throw new Error('There is nobody in Slack.');
  const { email, token, pat } = jiraAccount;
  const logged: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void logged.push(line) });
  const office = await startDwellInSlack({
    at,
    people: [{ ...first, email: `${member.name}@tallow.example`, admin: false }],
    environment: {
      JIRA_BASE_URL: jira.baseUrl,
      JIRA_REQUESTS_PER_MINUTE: '3000',
      ...(mode === 'cloud' ? { JIRA_EMAIL: email, JIRA_API_TOKEN: token } : { JIRA_PAT: pat }),
    },
    // Time passes between two requests, so that none has to wait for its turn.
    trackerBuilder: (config, parts) => buildTracker(config, { ...parts, log, now: () => (now += 25) }),
  });
  open.push(() => office.stop());
  await office.dwell.types('sync');
  const account = mode === 'cloud' ? member.accountId : member.key;
  const list = () =>
    office.dwell.as(account).get('/rest/issues', {
      filterType: 'customjql',
      customjql: 'created is not EMPTY',
      columnsBy: 'statusDuration',
    });
  return {
    ...{ world, list, logged },
    status: async () => JSON.stringify(await office.slack.answerTo('/tis status')),
    says: async (line: string) => JSON.stringify(await office.slack.answerTo(line)),
    /** Waits until the log has a line that fits. */
    async hasLogged(text: RegExp): Promise<void> {
      while (!logged.some((line) => text.test(line))) await setTimeout(10);
    },
  };
}

const everyProject = new Set(projects.map(({ key }) => key));
const cure = /'Administer Jira'.*JIRA_RIGHTS=rules/;

describe.each(['cloud', 'dataCenter'] as const)('an account of Jira %s that cannot read', (mode) => {
  test.each([
    ['any permission scheme', { sealed: everyProject }],
    ['what others can browse', { administers: false }],
  ])(
    '%s is named, with what helps, in the log, the status, refusals and over REST',
    async (_what, manners) => {
      const { world, list, logged, status, says, hasLogged } = await start(mode, manners);
      await hasLogged(cure);
      expect(logged.filter((line) => /"level":(40|50)/.test(line) && cure.test(line))).toHaveLength(1);
      const state = await status();
      expect(state).toMatch(cure);
      expect(state).not.toMatch(/\b0 issues/);
      const [key = ''] = world.keys();
      for (const line of [`/tis ${key}`, '/tis weekly', `/tis ${key.split('-')[0]} last 30 days`]) {
        expect([line, await says(line)]).toEqual([line, expect.stringMatching(cure)]);
      }
      const answer = await list();
      expect([answer.status, answer.json.reason]).toEqual([503, 'tracker-permission-missing']);
      expect(answer.json.messages.join(' ')).toMatch(cure);
      // Names of projects are not for everyone.
      for (const { key: project } of projects) {
        expect(answer.text).not.toContain(project);
        expect(state).not.toContain(project);
      }
    },
  );

  test('some permission schemes counts the issues it hides, with what helps', async () => {
    const sealed = new Set(['LARK']);
    const { world, list, status, hasLogged } = await start(mode, { sealed });
    await hasLogged(cure);
    const hidden = [...world.keys()].filter((key) => key.startsWith('LARK-')).length;
    const state = await status();
    expect(state).toContain(`${hidden} more are hidden`);
    expect(state).toMatch(cure);
    const { status: code, json } = await list();
    expect([code, json.unaskedIssues]).toEqual([200, hidden]);
  });

  test('nothing is wrong says nothing of it', async () => {
    const { logged, status } = await start(mode);
    expect(await status()).not.toMatch(/Administer|hidden/);
    expect(logged.filter((line) => cure.test(line))).toEqual([]);
  });
});
