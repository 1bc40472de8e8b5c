import { z } from 'zod';
import { afterEach, expect, test } from '#jest';
import {
  type JiraOptions,
  jiraAccount,
  type StandInJira,
  startStandInJira,
} from '../../support/stand-in-jira.ts';
import { cast } from '../../support/stand-in-jira-cast.ts';
import { rateLimited } from '../../support/stand-in-jira-faults.ts';
import { answerCheck } from '../../support/stand-in-jira-schemas.ts';
import { createJiraWorld, type JiraWorldWish } from '../../support/stand-in-jira-world.ts';

const noon = Date.parse('2026-11-20T12:00:00Z');
const running: StandInJira[] = [];

afterEach(async () => {
  await Promise.all(running.splice(0).map((jira) => jira.close()));
});

const told = z.looseObject({
  id: z.string(),
  key: z.string(),
  changelog: z
    .looseObject({ total: z.number(), histories: z.array(z.looseObject({ id: z.string() })) })
    .optional(),
});

/** As much of Jira's answers as is looked at here. */
const answered = z.looseObject({
  key: z.string().optional(),
  issues: z.array(told).default([]),
  issueChangeLogs: z.array(z.looseObject({ changeHistories: z.array(z.unknown()) })).default([]),
  projectPermissions: z
    .array(z.looseObject({ projects: z.array(z.number()), issues: z.array(z.number()) }))
    .default([]),
  nextPageToken: z.string().optional(),
  isLast: z.boolean().optional(),
  errorMessages: z.array(z.string()).default([]),
});

const handedOut = z.looseObject({
  access_token: z.string().default(''),
  refresh_token: z.string().default(''),
});

async function start(wish: Partial<JiraWorldWish> = {}, options: JiraOptions = {}) {
  const clock = { at: noon };
  const world = createJiraWorld({ issues: 60, seed: 7, clock: () => clock.at, ...wish });
  const jira = await startStandInJira(world, options);
  running.push(jira);
  const { email, token, pat } = jiraAccount;
  const usual = world.mode === 'cloud' ? `Basic ${btoa(`${email}:${token}`)}` : `Bearer ${pat}`;

  async function ask(path: string, sent?: unknown, authorization = usual, base = jira.baseUrl) {
    const api = path.startsWith('/rest') ? '' : `/rest/api/${world.mode === 'cloud' ? 3 : 2}`;
    const response = await fetch(`${base}${api}${path}`, {
      method: sent === undefined ? 'GET' : 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      ...(sent === undefined ? {} : { body: JSON.stringify(sent) }),
    });
    const raw: unknown = await response.json();
    const body = answered.parse(Array.isArray(raw) ? {} : raw);
    return { status: response.status, headers: response.headers, body, raw };
  }

  /** Keys of all that a Cloud search finds, page by page. */
  async function keysOf(jql: string, maxResults = 25): Promise<string[]> {
    const keys: string[] = [];
    for (let nextPageToken: string | undefined; ; ) {
      const { body } = await ask('/search/jql', { jql, maxResults, fields: ['updated'], nextPageToken });
      keys.push(...body.issues.map(({ key }) => key));
      nextPageToken = body.nextPageToken;
      if (body.isLast) return keys;
    }
  }

  return { world, jira, ask, keysOf, clock };
}

const everything = 'created >= "1970-01-01 00:00" ORDER BY created ASC, key ASC';

test('everything Cloud is asked for is answered as the published documents say', async () => {
  const { world, jira, ask, keysOf } = await start();
  const [id = ''] = world.ids();
  const keys = await keysOf(everything);
  const asked = [
    ask('/rest/api/2/serverInfo'),
    ...['/serverInfo', '/myself', '/status', '/field', '/users/search', '/project/search'].map((path) =>
      ask(path),
    ),
    ask('/filter/search?expand=jql,owner,sharePermissions'),
    ...['/filter/favourite', '/group/bulk', '/group/member?groupname=leads'].map((path) => ask(path)),
    ...['/rest/agile/1.0/board', '/rest/agile/1.0/board/11/sprint'].map((path) => ask(path)),
    ask(`/issue/${id}?expand=changelog`),
    ask(`/issue/${id}/changelog?maxResults=5`),
    ask('/issue/bulkfetch', { issueIdsOrKeys: [id, '999999'], fields: ['*all'], expand: ['changelog'] }),
    ask('/changelog/bulkfetch', { issueIdsOrKeys: keys, maxResults: 10_000 }),
    ask('/search/jql', { jql: everything, maxResults: 100, fields: ['*all'], expand: 'changelog' }),
    ask('/search/approximate-count', { jql: everything }),
  ];

  const answers = await Promise.all(asked);

  expect(answers.map(({ status }) => status)).toEqual(asked.map(() => 200));
  expect(jira.violations).toEqual([]);
  expect(keys).toEqual([...world.keys()]);
});

test('an answer that the documents do not allow is noticed', () => {
  const check = answerCheck();

  expect(check('POST', '/rest/api/3/search/jql', 200, { issues: [{ id: 3 }] })).toContain('must be string');
  expect(check('GET', '/rest/api/3/status', 200, [{ id: '3', name: 'Open' }])).toBeNull();
  expect(check('GET', '/rest/agile/1.0/board', 200, { values: [{ id: 'x' }] })).toContain('must be integer');
});

test('a world is the same whenever and in whichever order it is asked', () => {
  const [first, second] = [1, 2].map(() => createJiraWorld({ issues: 300, seed: 7, clock: () => noon }));
  const ids = [...(first?.ids() ?? [])];

  const backwards = ids.toReversed().map((id) => second?.whole(id));

  expect(backwards.toReversed()).toEqual(ids.map((id) => first?.whole(id)));
  const lengths = backwards.map((issue) => issue?.changelog?.total);
  expect(lengths).toEqual(expect.arrayContaining([0, 1, 39, 40, 41, 100, 101, 400]));
});

test('pages of changelogs add up to what the source holds, on both products', async () => {
  const { world, ask } = await start();
  const longest = [...world.ids()].find((id) => world.whole(id).changelog?.total === 101) ?? '';
  const entries: unknown[] = [];
  let nextPageToken: string | undefined;

  do {
    const { body } = await ask('/changelog/bulkfetch', {
      issueIdsOrKeys: [longest],
      maxResults: 30,
      nextPageToken,
    });
    entries.push(...body.issueChangeLogs.flatMap(({ changeHistories }) => changeHistories));
    nextPageToken = body.nextPageToken;
  } while (nextPageToken !== undefined);
  const cut = await ask('/issue/bulkfetch', { issueIdsOrKeys: [longest], expand: ['changelog'] });
  const old = await start({ mode: 'dataCenter' });
  const embedded = await old.ask('/search', {
    jql: `id in (${longest})`,
    fields: ['*all'],
    expand: ['changelog'],
  });

  const ids = (list: readonly unknown[] = []) => list.map((one) => Object(one).id);
  const whole = world.whole(longest).changelog?.histories ?? [];
  expect(ids(entries)).toEqual(ids(whole).toReversed());
  const [first] = cut.body.issues;
  expect(ids(first?.changelog?.histories)).toEqual(ids(whole).slice(0, 40));
  expect(first?.changelog?.total).toBe(101);
  expect(embedded.body.issues).toMatchObject([{ ...old.world.whole(longest) }]);
});

test('a changed issue is found as it is now, a moved one under both keys, a deleted one nowhere', async () => {
  const { world, ask, keysOf, clock } = await start();
  const [moved = '', gone = '', edited = '', sealed = ''] = world.keys();
  const before = world.whole(edited).changelog?.total;
  clock.at += 60_000;

  const key = world.move(moved, 'FERN');
  world.remove(gone);
  world.edit(edited);
  world.restrict(sealed, 'Legal');
  const [added = ''] = world.add();
  world.transition(added);
  world.assign(added, 3);

  const since = `updated >= "2026-11-20 13:01" ORDER BY updated ASC, key ASC`;
  expect((await keysOf(since)).toSorted()).toEqual([key, edited, sealed, added].toSorted());
  expect((await ask(`/issue/${moved}`)).body.key).toBe(key);
  expect((await ask(`/issue/${gone}`)).status).toBe(404);
  expect(world.whole(edited).changelog?.total).toBe(before);
  expect(world.whole(sealed).fields).toMatchObject({ security: { name: 'Legal' } });
  expect(world.whole(added)).toMatchObject({
    fields: { assignee: { displayName: cast[3]?.displayName }, status: { name: 'In Progress' } },
    changelog: { total: 2 },
  });
  expect(await keysOf(everything)).toEqual([...world.keys()]);
});

test('a search that lags finds an issue where it was until the index has caught up', async () => {
  const { world, keysOf, clock } = await start({ lagMs: 5_000 });
  const [key = ''] = world.keys();
  clock.at += 60_000;
  world.transition(key);

  const since = 'updated >= "2026-11-20 13:01" ORDER BY updated ASC, key ASC';

  expect(await keysOf(since)).toEqual([]);
  clock.at += 5_000;
  expect(await keysOf(since)).toEqual([key]);
});

test('a search that Jira would not take is refused in its own words', async () => {
  const { ask, clock } = await start();
  const search = (jql: string, nextPageToken?: string) =>
    ask('/search/jql', { jql, maxResults: 5, nextPageToken });
  const { nextPageToken } = (await search(everything)).body;

  const refusals = [
    await search('ORDER BY created ASC'),
    await search('assignee = currentUser()'),
    await search('created >= "yesterday"'),
    await search('id in (20005, 999999)'),
    await search(everything, 'garbage'),
    await search('project in (LARK) ORDER BY created', nextPageToken),
    await ask('/changelog/bulkfetch', { issueIdsOrKeys: [] }),
  ];
  clock.at += 3_600_000;
  const late = await search(everything, nextPageToken);

  expect([...refusals, late].map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 400));
  expect(refusals[0]?.body.errorMessages[0]).toMatch(/^Unbounded JQL/);
  expect((await ask('/search', { jql: everything })).status).toBe(410);
});

test('what is too much is refused as documented, and told from other trouble', async () => {
  const { jira, ask, clock } = await start({}, { limits: { pointsPerHour: 65_000, burstPerSecond: 3 } });
  jira.faults.push('/status', rateLimited(7), 2);

  const answers = await Promise.all([1, 2, 3, 4, 5].map(() => ask('/status')));
  clock.at += 1000;
  const later = await ask('/status');

  expect(answers.filter(({ headers }) => headers.get('retry-after') === '7')).toHaveLength(2);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
  expect(later.status).toBe(200);
  const one = await Promise.all([1, 2, 3].map(() => ask('/status')));
  expect(one.find(({ status }) => status === 429)?.headers.get('ratelimit-reason')).toBe('jira-burst-based');
});

test('an app gets in by the tokens of whoever agreed, and each refresh token serves once', async () => {
  const app = { clientId: 'dwell-app', clientSecret: 'a-secret-of-nobody' };
  const { jira, ask, clock } = await start({}, { app });
  const { auth, api } = jira.atlassian;
  const agreed = await fetch(
    `${auth}/authorize?client_id=dwell-app&response_type=code&state=s1&redirect_uri=${encodeURIComponent('https://dwell.example/back')}`,
    { redirect: 'manual' },
  );
  const back = new URL(agreed.headers.get('location') ?? '');
  const token = async (body: Record<string, string>) => {
    const sent = { client_id: app.clientId, client_secret: app.clientSecret, ...body };
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${auth}/oauth/token`, {
      method: 'POST',
      headers,
      body: JSON.stringify(sent),
    });
    return { status: answer.status, body: handedOut.parse(await answer.json()) };
  };

  const redirect_uri = 'https://dwell.example/back';
  const first = await token({
    grant_type: 'authorization_code',
    code: back.searchParams.get('code') ?? '',
    redirect_uri,
  });
  const again = { grant_type: 'refresh_token', refresh_token: first.body.refresh_token };
  const [second, reused] = [await token(again), await token(again)];
  const bearer = `Bearer ${second.body.access_token}`;
  const headers = { authorization: bearer };
  const resources = await fetch(`${api}/oauth/token/accessible-resources`, { headers });
  const [site] = z.array(z.looseObject({ id: z.string() })).parse(await resources.json());
  const gateway = `${api}/ex/jira/${site?.id}`;

  expect(back.searchParams.get('state')).toBe('s1');
  expect([first.status, second.status, reused.status]).toEqual([200, 200, 403]);
  expect((await ask('/myself', undefined, bearer, gateway)).status).toBe(200);
  clock.at += 3_600_000;
  expect((await ask('/myself', undefined, bearer, gateway)).status).toBe(401);
});

test('who may browse what is told by the project, and by the level for who is in it', async () => {
  const { world, jira, ask } = await start({ issues: 300 });
  const sealed = [...world.ids()].filter((id) => Object(world.whole(id).fields).security?.name === 'Legal');
  const may = async (person: number) => {
    const { body } = await ask('/permissions/check', {
      accountId: cast[person]?.accountId,
      projectPermissions: [
        { permissions: ['BROWSE_PROJECTS'], projects: ['10000', '10002'], issues: sealed },
      ],
    });
    return body.projectPermissions[0] ?? { projects: [], issues: [] };
  };
  jira.rights.open('LARK', [9]);

  expect((await may(9)).projects).toEqual([10_000]);
  expect((await may(2)).projects).toEqual([10_002]);
  expect((await may(9)).issues.length).toBeGreaterThan((await may(3)).issues.length);
  const old = await start({ mode: 'dataCenter' });
  const viewers = await old.ask('/user/viewissue/search?username=mara.lindqvist&projectKey=VAULT');
  expect(viewers.raw).toMatchObject([{ name: 'mara.lindqvist' }]);
  expect((await old.ask('/user/viewissue/search?username=wren.halloran&projectKey=VAULT')).raw).toEqual([]);
});
