import { setTimeout } from 'node:timers/promises';
import { pino } from 'pino';
import { afterEach, describe, expect, test } from '#jest';
import { buildDwell } from '../../../src/compose/build-dwell.ts';
import { readConfig } from '../../../src/compose/config.ts';
import { AppError, failureText } from '../../../src/model/error.ts';
import { runCommand } from '../../support/run-command.ts';
import { type JiraOptions, jiraAccount, startStandInJira } from '../../support/stand-in-jira.ts';
import { projects } from '../../support/stand-in-jira-cast.ts';
import { refusal } from '../../support/stand-in-jira-faults.ts';
import { createJiraWorld, type JiraWorldWish } from '../../support/stand-in-jira-world.ts';
import { startDwell } from '../../support/start-dwell.ts';
import { storeEngine } from '../../support/store-engine.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const at = Date.parse('2026-03-16T08:00:00Z');
const APART_MS = 25;
const cure =
  "Give Dwell's Jira account the global permission 'Administer Jira' (Data Center: also 'Browse Users'), or set JIRA_RIGHTS=rules and use `npx dwell access`.";

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

interface Wish extends Partial<JiraWorldWish>, Pick<JiraOptions, 'manners'> {
  readonly environment?: Readonly<Record<string, string>>;
}

/** A Jira, and a folder of Dwell's in which `npx dwell sync` is typed, each time in a process of its own. */
async function start({ manners = {}, environment = {}, mode = 'cloud', ...wish }: Wish = {}) {
  const clock = { now: at };
  const parts = { issues: 6, seed: 7, clock: () => clock.now, mode, ...wish };
  const world = createJiraWorld(parts);
  const jira = await startStandInJira(world, { manners });
  open.push(() => jira.close());
  const { email, token, pat } = jiraAccount;
  const folder = temporaryFolder();
  await storeEngine.make(folder);
  const variables = {
    ...storeEngine.environment(folder),
    TIME_ZONE: 'UTC',
    JIRA_BASE_URL: jira.baseUrl,
    JIRA_REQUESTS_PER_MINUTE: '3000',
    ...(mode === 'cloud' ? { JIRA_EMAIL: email, JIRA_API_TOKEN: token } : { JIRA_PAT: pat }),
    ...environment,
  };
  /** The same Jira, or another one, at another address. */
  async function movesTo(more: Partial<JiraWorldWish>) {
    // What is made up of its past depends on when it was made.
    const today = clock.now;
    clock.now = at;
    const there = createJiraWorld({ ...parts, ...more });
    clock.now = today;
    const moved = await startStandInJira(there, { manners });
    open.push(() => moved.close());
    variables.JIRA_BASE_URL = moved.baseUrl;
    return { jira: moved, world: there };
  }
  /** Dwell itself, on what is kept in the folder. */
  async function serves() {
    const dwell = await startDwell({
      at: new Date(clock.now).toISOString(),
      dataDir: folder,
      environment: variables,
    });
    open.unshift(() => dwell.stop());
    return dwell;
  }
  async function syncs(...args: string[]) {
    const config = readConfig({ DATA_DIR: folder, ...variables });
    // Time passes between two requests, so that none has to wait for its turn.
    const now = () => {
      clock.now += APART_MS;
      return clock.now;
    };
    const dwell = await buildDwell(config, {
      now,
      clockOffset: async () => 0,
      log: pino({ level: 'silent' }),
    });
    const lines: string[] = [];
    const said = {
      ...dwell.commandLine,
      killed: new AbortController().signal,
      wait: async () => {},
      err: () => {},
      progress: () => {},
    };
    try {
      const code = await runCommand(['sync', ...args], { ...said, out: (line) => void lines.push(line) });
      return { code, lines, failure: null };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return { code: 1, lines, failure: failureText(error) };
    } finally {
      await dwell.stop();
    }
  }
  return { jira, world, clock, syncs, serves, movesTo };
}

describe.each(['cloud', 'dataCenter'] as const)('dwell sync of Jira %s', (mode) => {
  const product = mode === 'cloud' ? 'Jira Cloud' : 'Jira Data Center';

  test('begins with who is there and ends with what came of the run', async () => {
    const { world, clock, syncs } = await start({ mode });
    const first = await syncs();
    expect(first.failure).toBeNull();
    expect(first.lines.slice(0, 5)).toEqual([
      `${product} at ${world.site}`,
      expect.stringMatching(/^As \S.* <\S+@\S+>$/),
      expect.stringMatching(/^Can browse \d+ projects$/),
      'About 6 issues',
      'Can read permissions of others: yes',
    ]);
    expect(first.lines).toContain('This run         6 new, 0 updated, 0 removed');
    expect(first.code).toBe(0);

    clock.now += 30 * 60_000;
    const [one = '', two = ''] = world.keys();
    world.edit(one);
    world.remove(two);
    world.add(2);
    clock.now += 60_000;
    const second = await syncs('--compare');
    expect(second.lines).toContain('This run         2 new, 1 updated, 1 removed');
    const requests = second.lines.find((line) => line.startsWith('Requests'));
    const [, came = '', all = ''] = /(\d+) in this run, (\d+) in all/.exec(requests ?? '') ?? [];
    expect(Number(came)).toBeGreaterThan(0);
    expect(Number(came)).toBeLessThan(Number(all));
    expect((await syncs()).lines).toContain('This run         nothing has changed');
  });

  test('says why it may not ask what others may see, and goes on', async () => {
    const { syncs } = await start({ mode, manners: { administers: false } });
    const { code, lines } = await syncs();
    expect(lines[4]).toMatch(/^Can read permissions of others: no: Jira at .* refuses .*\(HTTP 403\)/);
    expect(lines[4]).toContain(cure);
    expect(code).toBe(0);
  });

  test('says once that it can read no permission scheme, with what helps', async () => {
    const { syncs } = await start({ mode, manners: { sealed: new Set(projects.map(({ key }) => key)) } });
    const { lines } = await syncs();
    expect(lines[4]).toBe(
      `Can read permissions of others: no: Jira does not show Dwell's account any permission scheme, so only admins see issues. ${cure}`,
    );
    expect(lines.slice(5).filter((line) => /permission|readable/i.test(line))).toEqual([]);
  });

  test('names the projects that stay closed because nobody may read to whom they are open', async () => {
    const { jira, syncs } = await start({ mode, manners: { sealed: new Set(['DESK', 'LARK']) } });
    const { code, lines } = await syncs();
    expect(lines[4]).toBe(
      `Can read permissions of others: no: The permission schemes of LARK, DESK cannot be read, so these projects stay closed to all but admins. ${cure}`,
    );
    expect(code).toBe(0);
    jira.faults.push('/project/FERN/permissionscheme', refusal(500, 'Out of order.'), 100);
    expect((await syncs()).lines[4]).toMatch(
      /JIRA_RIGHTS=rules .*\. The permission scheme of FERN cannot be read, so this project stays closed to all but admins: Jira at .* with HTTP 500: Out of order, 2 times in a row\.$/,
    );
  });
});

describe.each(['cloud', 'dataCenter'] as const)('an issue that Jira %s answers with HTTP 500', (mode) => {
  test('is named, makes answers incomplete, is explained when asked for, and is taken once it is shown', async () => {
    const { jira, world, clock, syncs, serves } = await start({
      mode,
      environment: { JIRA_RIGHTS: 'rules' },
    });
    const projectOf = (one: string) => one.split('-')[0] ?? '';
    const keys = [...world.keys()];
    const isShared = (key: string) => keys.filter((one) => projectOf(one) === projectOf(key)).length > 1;
    const key = keys.slice(1).find(isShared) ?? '';
    const project = projectOf(key);
    const bad = world.whole(key).id;
    jira.manners.untellable.set(bad, 'error');
    const { code, lines, failure } = await syncs();
    expect([failure, code]).toEqual([null, 0]);
    expect(lines).toContain('Issues           5');
    expect(lines).toContainEqual(expect.stringMatching(new RegExp(`^  ${key}: Jira at .* HTTP 500`)));

    const dwell = await serves();
    const list = { filterType: 'project', columnsBy: 'statusDuration', projectKey: project };
    const { json } = await dwell.get('/rest/issues', list);
    expect(json).toMatchObject({ complete: false, undecided: 1 });
    const other = keys.map(projectOf).find((one) => one !== project) ?? '';
    const elsewhere = await dwell.get('/rest/issues', { ...list, projectKey: other });
    expect(elsewhere.json).toMatchObject({ undecided: 0 });
    const single = { issueKey: key, columnsBy: 'statusDuration' };
    const answer = await dwell.get('/rest/issue', single);
    expect(answer.status).toBe(503);
    expect(answer.text).toContain(`The tracker cannot show ${key} at the moment`);
    expect(answer.text).not.toContain('HTTP 500');
    expect((await dwell.as('root', { admin: true }).get('/rest/issue', single)).text).toContain('HTTP 500');

    jira.manners.untellable.clear();
    clock.now += 60 * 60_000;
    expect((await syncs()).lines).toContain('This run         1 new, 0 updated, 0 removed');
    expect((await dwell.get('/rest/issue', single)).status).toBe(200);
  });
});

describe.each(['cloud', 'dataCenter'] as const)('a Jira %s at another address', (mode) => {
  const rules = { JIRA_RIGHTS: 'rules' };
  const site = 'https://renamed.example';
  const single = (key: string) => ({ issueKey: key, columnsBy: 'statusDuration' });

  test('is recognized by its issues, and all that is kept leads there', async () => {
    const { world, syncs, serves, movesTo } = await start({ mode, environment: rules });
    await syncs();
    const [key = ''] = world.keys();
    const before = await serves();
    const Authorization = (await before.headerOf('ada')).Authorization;
    await before.stop();

    const { world: there } = await movesTo({ site });
    there.edit(key);
    const { code, lines, failure } = await syncs();
    expect([failure, code]).toEqual([null, 0]);
    expect(lines).toContain(`Jira has moved from ${world.site} to ${site}; the stored issues stay.`);
    expect(lines).toContain('Issues           6');
    const dwell = await serves();
    const answer = await dwell.get('/rest/issue', single(key), { Authorization });
    expect(answer.status).toBe(200);
    expect(answer.text).not.toContain(world.site);
    expect((await syncs()).lines).toContain('This run         nothing has changed');
  });

  test('is taken at somebody’s word where it is not recognized, and the sentence says how', async () => {
    const { world, syncs, serves, movesTo } = await start({ mode, environment: rules });
    const [key = ''] = world.keys();
    for (const one of [...world.keys()].slice(0, 4)) world.edit(one);
    await syncs();
    const before = await serves();
    const Authorization = (await before.headerOf('ada')).Authorization;
    await before.stop();
    // It was restored from a backup there.
    await movesTo({ site });
    const refused = await syncs();
    expect(refused.code).toBe(1);
    expect(refused.failure).toContain(`holds the issues of '${world.site}'`);
    expect(refused.failure).toContain('run `npx dwell sync --accept-address`');
    const locked = await serves();
    let answer = await locked.get('/rest/issue', single(key), { Authorization });
    // Until the site has answered once nobody knows which it is.
    while (answer.text.includes('it is unknown whether')) {
      await setTimeout(10);
      answer = await locked.get('/rest/issue', single(key), { Authorization });
    }
    expect(answer.status).toBe(503);
    expect(answer.text).toContain('sync --accept-address');
    await locked.stop();

    const { code, lines, failure } = await syncs('--accept-address');
    expect([failure, code]).toEqual([null, 0]);
    expect(lines).toContain(`Jira has moved from ${world.site} to ${site}; the stored issues stay.`);
    const dwell = await serves();
    expect((await dwell.get('/rest/issue', single(key), { Authorization })).status).toBe(200);
  });

  test('that is another Jira is never taken for the same', async () => {
    const { syncs, movesTo } = await start({ mode, environment: rules });
    await syncs();
    await movesTo({ site, seed: 8 });
    const { code, failure } = await syncs('--accept-address');
    expect(code).toBe(1);
    expect(failure).toMatch(/which is another Jira: there the issue with id \d+ was created at /);
    expect(failure).toContain(`Set the address back`);
    expect(failure).not.toContain('--accept-address');
  });
});

test('a status that changes without a new `updated` is found by --compare', async () => {
  const { world, clock, syncs } = await start();
  await syncs();
  const [id = ''] = world.ids();
  world.changeSilently(id, 2, false);
  clock.now += 60_000;
  expect((await syncs()).lines).toContain('This run         nothing has changed');
  expect((await syncs('--compare')).lines).toContain('This run         0 new, 1 updated, 0 removed');
});

test('a Jira that shows nothing any more fails the sync, says why, and leaves what is kept as it is', async () => {
  const { jira, world, clock, syncs } = await start();
  const fresh = (lines: readonly string[]) => lines.find((line) => line.startsWith('Fresh as of'));
  const before = fresh((await syncs()).lines);
  for (const key of world.keys()) jira.manners.withheld.add(key.split('-')[0] ?? '');
  clock.now += 60 * 60_000;
  const { code, failure } = await syncs();
  expect(code).toBe(1);
  expect(failure).toContain('shows our account none of the 6 issues kept here. Has its token expired');
  expect(failure).toContain('sync --accept-removals');
  jira.manners.withheld.clear();
  const { lines } = await syncs();
  expect(lines).toContain('Issues           6');
  expect(fresh(lines)).not.toBe(before);
});

test('with rules of our own nobody asks what others may see', async () => {
  const { jira, syncs } = await start({ environment: { JIRA_RIGHTS: 'rules' } });
  expect((await syncs()).lines.join('\n')).not.toContain('May ask');
  expect(jira.calls.filter(({ path }) => path === '/permissions/check')).toEqual([]);
});

test('a Jira that shows nothing is doubted, and the first fill is no success', async () => {
  const jql = 'created >= "2030-01-01 00:00"';
  const { syncs } = await start({ environment: { JIRA_JQL: jql } });
  const { code, lines } = await syncs();
  expect(code).toBe(1);
  expect(lines.at(-1)).toMatch(/^Jira shows .* <.*> no issues \(JIRA_JQL: created >= "2030/);
  expect(lines.at(-1)).toContain('Is it the right account, and can it browse the projects?');
  const again = await syncs();
  expect([again.code, again.lines.at(-1)]).toEqual([0, lines.at(-1)]);
});

test('what works is told also where it fails half way, and a query that Jira refuses is named', async () => {
  const { jira, syncs } = await start({ environment: { JIRA_JQL: 'project = NOPE' } });
  jira.faults.push(
    /POST \/search/,
    (response) => {
      const body = {
        errorMessages: ["The value 'NOPE' does not exist for the field 'project'."],
        errors: {},
      };
      response.writeHead(400, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
    },
    10,
  );
  const { code, lines, failure } = await syncs();
  expect(code).toBe(1);
  expect(lines[1]).toMatch(/^As /);
  expect(lines[3]).toBe('The number of issues is unknown: Jira does not say (JIRA_JQL: project = NOPE)');
  expect(failure).toMatch(/'project'\. Is JIRA_JQL right\? It is: project = NOPE$/);
  expect(failure?.split('does not exist for the field')).toHaveLength(2);
});

test('an address that is not that of Jira is told at once', async () => {
  const { jira } = await start();
  const { syncs } = await start({ environment: { JIRA_BASE_URL: `${jira.origin}/browse` } });
  const { lines, failure } = await syncs();
  expect(lines).toEqual([]);
  expect(failure).toContain('(HTTP 404): no Jira is there. Is JIRA_BASE_URL right?');
  expect(jira.calls).toHaveLength(1);
});

test('an address with https where http is spoken is told after one try', async () => {
  const { jira } = await start();
  const origin = jira.origin.replace('http:', 'https:');
  const { syncs } = await start({ environment: { JIRA_BASE_URL: origin } });
  const { failure } = await syncs();
  expect(failure).toContain('does not speak TLS there');
  expect(failure).toContain('Is JIRA_BASE_URL right?');
  expect(failure).not.toContain('times in a row');
});
