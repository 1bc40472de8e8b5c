import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { buildTracker } from '../../src/compose/build-tracker.ts';
import { signatureOf } from '../../test/http/signature-of.ts';
import { jiraAccount, type StandInJira, startStandInJira } from '../../test/support/stand-in-jira.ts';
import { cast, type JiraMode } from '../../test/support/stand-in-jira-cast.ts';
import { createJiraWorld, type JiraWorldWish } from '../../test/support/stand-in-jira-world.ts';
import { webhookSecret } from '../../test/support/stand-in-sync.ts';
import { startDwell } from '../../test/support/start-dwell.ts';
import { atMost, figureRow, type Row } from '../rows.ts';
import type { Suite } from '../suite.ts';

const name = 'large-jira';
const PROJECTS = 1500;
const LISTS = 1000;
/** The usual rate of requests. */
const PER_SECOND = 10;
const AT = '2026-03-18T12:00:00Z';
/** The person of the cast who asks. */
const PERSON = 9;

/** Requests to a simulated Jira with 1,500 projects for a first question, and before a change while 1,000 lists are read. */
export const largeJira: Suite = {
  name,
  about:
    'requests to a Jira with 1,500 projects and 1,000 boards: a first question, and a change while lists are read',
  quick: null,
  usual: [],
  full: [],
  async run() {
    const rows: Row[] = [];
    for (const mode of ['cloud', 'dataCenter'] as const) {
      for (const schemes of ['one permission scheme', 'a permission scheme per project'] as const) {
        rows.push(await firstQuestion(mode, schemes));
      }
      rows.push(...(await changeAmongLists(mode)));
    }
    return rows;
  },
};

/** A Dwell beside a simulated Jira; time passes with each look at the clock, so that no request waits for its turn. */
async function start(
  options: Partial<JiraWorldWish> & { readonly mode: JiraMode },
  grant: (rights: StandInJira['rights'], project: string, place: number) => void = () => {},
) {
  let now = Date.parse(AT);
  const world = createJiraWorld({ issues: 20, seed: 7, clock: () => now, ...options });
  for (const { key } of world.projects) world.add(1, key);
  const jira = await startStandInJira(world, { validate: 'sample' });
  for (const [i, { key }] of world.projects.entries()) grant(jira.rights, key, i);
  const dataDir = mkdtempSync(join(tmpdir(), 'dwell-bench-large-jira-'));
  const { email, token, pat } = jiraAccount;
  const dwell = await startDwell({
    at: AT,
    dataDir,
    environment: {
      JIRA_BASE_URL: jira.baseUrl,
      JIRA_REQUESTS_PER_MINUTE: '3000',
      JIRA_WEBHOOK_SECRET: webhookSecret,
      ...(options.mode === 'cloud' ? { JIRA_EMAIL: email, JIRA_API_TOKEN: token } : { JIRA_PAT: pat }),
    },
    trackerBuilder: (config, parts) => buildTracker(config, { ...parts, now: () => (now += 25) }),
  });
  return {
    ...{ world, jira, dwell },
    async stop() {
      await dwell.stop();
      await jira.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

const titles = { cloud: 'Cloud', dataCenter: 'Data Center' };
const figure = (title: string, value: number, size = PROJECTS) =>
  figureRow({ suite: name, name: title, size, unit: 'requests' }, value);

async function firstQuestion(mode: JiraMode, schemes: string): Promise<Row> {
  const { jira, dwell, stop } = await start({ mode, more: { projects: PROJECTS - 5 } }, (rights, key, i) =>
    rights.grant(
      key,
      schemes === 'one permission scheme'
        ? [{ type: 'group', group: 0 }]
        : [
            { type: 'reporter' },
            { type: 'projectRole', people: [PERSON, i % cast.length], group: null },
            { type: 'user', person: i % cast.length },
          ],
    ),
  );
  try {
    await dwell.types('sync', '--compare');
    const before = jira.calls.length;
    const asker = dwell.as(cast[PERSON]?.[mode === 'cloud' ? 'accountId' : 'key'] ?? '');
    const { status, json } = await asker.get('/rest/issues', {
      ...{ filterType: 'customjql', customjql: 'project is not EMPTY', columnsBy: 'statusDuration' },
      ...{ calendar: 'normalHours', pageSize: '1' },
    });
    const row = figure(`first question, ${titles[mode]}, ${schemes}`, jira.calls.length - before);
    const isWhole = status === 200 && json.total >= PROJECTS;
    return { ...atMost(row, 10), fault: isWhole ? null : `answered ${status}: ${JSON.stringify(json)}` };
  } finally {
    await stop();
  }
}

async function changeAmongLists(mode: JiraMode): Promise<readonly Row[]> {
  const { world, jira, dwell, stop } = await start({ mode, more: { boards: LISTS } });
  try {
    await dwell.types('sync');
    const [key = ''] = world.keys();
    const { id } = world.issue(world.numberOf(key) ?? 0);
    const from = jira.calls.length;
    const syncing = dwell.types('sync', '--compare');
    const isOfBoard = ({ path }: { readonly path: string }) => path.startsWith('/board/');
    while (!jira.calls.slice(from).some(isOfBoard)) await setTimeout(1);
    world.transition(key);
    const body = JSON.stringify({ webhookEvent: 'jira:issue_updated', issue: { id, key } });
    const headers = { 'Content-Type': 'application/json', 'X-Hub-Signature': signatureOf(body, 'well') };
    await dwell.send('POST', '/rest/webhooks/jira', headers, body);
    const sent = jira.calls.length;
    await syncing;
    const read = jira.calls.findIndex(
      (call, i) => i >= sent && (JSON.stringify(call.body) + JSON.stringify(call.query)).includes(id),
    );
    const wait = (read < 0 ? jira.calls.length : read) - sent;
    const seconds = {
      suite: name,
      name: `the same at 600 requests a minute, ${titles[mode]}`,
      size: LISTS,
      unit: 's',
    };
    return [
      atMost(figure(`a change while boards are read waits for, ${titles[mode]}`, wait, LISTS), 25),
      figureRow(seconds, wait / PER_SECOND),
    ];
  } finally {
    await stop();
  }
}
