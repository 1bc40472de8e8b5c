import { afterAll, beforeAll, describe, expect, test } from '#jest';
import { buildTracker } from '../../src/compose/build-tracker.ts';
import { exportFile, isAssignedTo, jiraIssue, movesTo, type RawIssue } from '../support/jira-export.ts';
import { keysIn } from '../support/listed-keys.ts';
import { makeOlder } from '../support/older-store.ts';
import { testOnSqlite } from '../support/on-sqlite.ts';
import { openTestStore } from '../support/open-test-store.ts';
import { jiraAccount, startStandInJira } from '../support/stand-in-jira.ts';
import { cast } from '../support/stand-in-jira-cast.ts';
import { createJiraWorld } from '../support/stand-in-jira-world.ts';
import { startDwell, type TestDwell } from '../support/start-dwell.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** The field of "restrict to roles" as Jira Cloud answers it. */
const toRoles = { issuerestrictions: { projectrole: [{ id: '10002' }] }, shouldDisplay: true };

/** A Dwell with issues of a project that everybody may browse, one of which is restricted to roles. */
interface Place {
  readonly dwell: TestDwell;
  readonly project: string;
  /** Restricted. */
  readonly key: string;
  /** Open, and tells the restricted one as its parent. */
  readonly child: string;
  /** How many there are, the restricted one included. */
  readonly all: number;
  /** One who may browse the project and has none of the roles, and one who sees the issue all the same. */
  readonly outsider: string;
  readonly insider: string;
  /** The same folder opened by a Dwell that comes after 0.6.0, which kept no roles. */
  readonly upgraded: () => Promise<TestDwell>;
  readonly stop: () => Promise<void>;
}

/** A link as Jira answers it. */
function linkTo(outwardIssue: { readonly id: string; readonly key: string }): object {
  return {
    ...{ id: '31', type: { name: 'Blocks', inward: 'is blocked by', outward: 'blocks' } },
    outwardIssue,
  };
}

/** Makes of a folder what 0.6.0 would have left behind. */
function before(dataDir: string): Promise<void> {
  return makeOlder(dataDir, 6, (issue) =>
    'issuerestriction' in issue.fields
      ? { ...issue, fields: { ...issue.fields, issuerestriction: null } }
      : issue,
  );
}

const at = '2026-03-18T12:00:00Z';

async function ofJira(): Promise<Place> {
  let now = Date.parse(at);
  const world = createJiraWorld({ issues: 20, seed: 7, clock: () => now, mode: 'cloud' });
  const project = 'FERN';
  const inside = [...world.keys()].filter((key) => key.startsWith(`${project}-`));
  const [key = '', child = ''] = inside;
  for (const one of inside) world.restrict(one, null);
  const { id } = world.issue(world.numberOf(key) ?? 0);
  world.tells(key, { issuerestriction: toRoles });
  const restricted = { id, key, fields: { summary: 'What nobody is to know' } };
  world.tells(child, { parent: restricted, issuelinks: [linkTo(restricted)] });
  const jira = await startStandInJira(world);
  jira.rights.restrictTo(id, [5]);
  const dataDir = temporaryFolder();
  const options = {
    ...{ at, dataDir },
    environment: {
      JIRA_BASE_URL: jira.baseUrl,
      JIRA_EMAIL: jiraAccount.email,
      JIRA_API_TOKEN: jiraAccount.token,
      JIRA_REQUESTS_PER_MINUTE: '3000',
    },
    // Time passes between two requests, so that none has to wait for its turn.
    trackerBuilder: ((config, parts) =>
      buildTracker(config, { ...parts, now: () => (now += 25) })) satisfies typeof buildTracker,
  };
  const dwell = await startDwell(options);
  await dwell.types('sync');
  return {
    ...{ dwell, project, key, child, all: inside.length },
    outsider: cast[9]?.accountId ?? '',
    insider: cast[5]?.accountId ?? '',
    async upgraded() {
      await dwell.stop();
      await before(dataDir);
      return startDwell(options);
    },
    async stop() {
      await dwell.stop();
      await jira.close();
      expect(jira.violations).toEqual([]);
    },
  };
}

async function ofFile(): Promise<Place> {
  const issue = (key: string, fields: Record<string, unknown>): RawIssue => {
    const story = jiraIssue(key)
      .at('2026-03-03T09:00:00.000Z', isAssignedTo('ada'))
      .at('2026-03-04T09:00:00.000Z', movesTo('In Progress'))
      .onCloud();
    return { ...story, fields: { ...story.fields, ...fields } };
  };
  const open = { issuerestriction: { issuerestrictions: {}, shouldDisplay: true } };
  const issues = [
    issue('FERN-1', { issuerestriction: toRoles }),
    issue('FERN-2', {
      ...{ ...open, parent: { id: '20001', key: 'FERN-1' } },
      issuelinks: [linkTo({ id: '20001', key: 'FERN-1' })],
    }),
    issue('FERN-3', open),
    issue('FERN-4', { issuerestriction: null }),
    issue('FERN-5', {}),
  ];
  const options = { at, dataDir: temporaryFolder(), environment: { TRACKER: 'file' } };
  const dwell = await startDwell(options);
  await dwell.types('import', exportFile(issues));
  return {
    ...{ dwell, project: 'FERN', key: 'FERN-1', child: 'FERN-2', all: issues.length },
    ...{ outsider: 'bob', insider: 'ada', stop: () => dwell.stop() },
    async upgraded() {
      await dwell.stop();
      await before(options.dataDir);
      const later = await startDwell(options);
      expect((await later.types('access')).lines.at(-1)).toMatch(
        /^4 issues were read by a version of Dwell that did not know "restrict to roles"/,
      );
      return {
        ...later,
        types: async (...args) =>
          later.types(...(args[0] === 'sync' ? ['import', exportFile(issues)] : args)),
      };
    },
  };
}

interface Row {
  readonly issueCount?: number;
  readonly headerColumns: readonly { readonly value: string }[];
  readonly fieldColumns: readonly { readonly id: string; readonly value: string }[];
}

const places = [
  ['Jira Cloud', ofJira],
  ['imported files', ofFile],
] as const;

type Who = 'outsider' | 'insider';

const asks = (place: Place, who: Who, path: string, parameters: Record<string, string>) =>
  place.dwell.as(place[who]).get(path, { columnsBy: 'statusDuration', ...parameters });
const rowsOf = (json: { table: { body: { rows: readonly Row[] } } }) => json.table.body.rows;

describe.each(places)('an issue of %s that is restricted to roles', (_what, start) => {
  let place: Place;
  beforeAll(async () => {
    place = await start();
  });
  afterAll(() => place.stop());

  const as = (who: Who, path: string, parameters: Record<string, string>) =>
    asks(place, who, path, parameters);
  const inProject = () => ({ filterType: 'project', projectKey: place.project });
  const jql = (query: string) => ({ filterType: 'customjql', customjql: query });

  test('is unknown by its key to who has none of them, and told to who may see it', async () => {
    const issue = (who: Who, issueKey: string) => as(who, '/rest/issue', { issueKey });
    const [closed, unknown] = [await issue('outsider', place.key), await issue('outsider', 'FERN-9999')];
    expect(closed.status).toBe(unknown.status);
    expect(closed.status).toBeGreaterThanOrEqual(400);
    expect(closed.text).toBe(unknown.text.replaceAll('FERN-9999', place.key));
    expect((await issue('insider', place.key)).status).toBe(200);
    expect((await issue('outsider', place.child)).status).toBe(200);
  });

  test('is in no list, nor in one by key or by a field that holds it', async () => {
    const list = async (who: Who, parameters: Record<string, string>) =>
      as(who, '/rest/issues', { pageSize: '1000', ...parameters });
    const seen = await list('outsider', inProject());
    expect(seen.json.total).toBe(place.all - 1);
    expect(keysIn(seen.json)).not.toContain(place.key);
    expect((await list('insider', inProject())).json.total).toBe(place.all);
    for (const query of [`key = ${place.key}`, `parent = ${place.key}`, `issue in (${place.key})`]) {
      const { status, json } = await list('outsider', jql(query));
      if (status === 200) expect([query, keysIn(json)]).toEqual([query, []]);
      else expect([query, status]).toEqual([query, 400]);
      expect([query, keysIn((await list('insider', jql(query))).json).length]).toEqual([query, 1]);
    }
    expect((await list('outsider', jql('issuerestriction is not EMPTY'))).json.total).toBe(0);
    expect(keysIn((await list('insider', jql('issuerestriction is not EMPTY'))).json)).toEqual([place.key]);
  });

  test.each(['parent', 'issuelinks'])(
    'is hidden where %s tells it, and where issues are grouped by that field',
    async (fields) => {
      const isTold = new RegExp(`\\b${place.key}\\b`);
      const insiders = await as('insider', '/rest/issues', { ...inProject(), fields, pageSize: '1000' });
      expect(JSON.stringify(rowsOf(insiders.json).map((row) => row.fieldColumns))).toMatch(isTold);
      const told = await as('outsider', '/rest/issues', { ...inProject(), fields, pageSize: '1000' });
      expect(told.text).not.toMatch(isTold);
      expect(told.text).not.toContain('nobody is to know');
      expect(told.text).toContain('(hidden)');
      const groups = await as('outsider', '/rest/issues/aggregation', {
        ...inProject(),
        aggregationType: 'sum',
        groupByFields: fields,
      });
      expect(groups.status).toBe(200);
      expect(groups.text).not.toMatch(isTold);
      const searched = await as('outsider', '/rest/issues', jql(`${fields} = "blocks ${place.key}"`));
      expect([fields, searched.status]).toEqual([fields, 400]);
      const counted = rowsOf(groups.json).reduce((sum, { issueCount = 0 }) => sum + issueCount, 0);
      expect(counted).toBe(place.all - 1);
    },
  );

  test('counts in no figure', async () => {
    const count = async (who: Who, more: Record<string, string> = {}) => {
      const parameters = { ...inProject(), aggregationType: 'average', ...more };
      return rowsOf((await as(who, '/rest/issues/aggregation', parameters)).json).map(
        ({ issueCount }) => issueCount,
      );
    };
    expect([await count('outsider'), await count('insider')]).toEqual([[place.all - 1], [place.all]]);
    const byProject = { groupByFields: 'project' };
    expect(await count('outsider', byProject)).toEqual([place.all - 1]);
  });

  test('is in no file', async () => {
    const file = (who: Who) =>
      as(who, '/rest/smallexport', { ...inProject(), outputType: 'csv', fields: 'parent' });
    expect((await file('outsider')).text).not.toMatch(new RegExp(`\\b${place.key}\\b`));
    expect((await file('insider')).text).toMatch(new RegExp(`\\b${place.key}\\b`));
    const started = await place.dwell
      .as(place.outsider)
      .post('/rest/export/status', { ...inProject(), columnsBy: 'statusDuration', outputType: 'csv' });
    expect(started.text).not.toMatch(new RegExp(`\\b${place.key}\\b`));
  });
});

testOnSqlite.each(places)(
  'an issue of %s stays closed after an update from a version that kept no roles, and others open again',
  async (_what, start) => {
    const before = await start();
    const dwell = await before.upgraded();
    const place = { ...before, dwell };
    const seen = async () => {
      const project = { filterType: 'project', projectKey: place.project, pageSize: '1000' };
      return keysIn((await asks(place, 'outsider', '/rest/issues', project)).json);
    };
    const single = async (who: Who) =>
      (await asks(place, who, '/rest/issue', { issueKey: place.key })).status;
    expect([await single('outsider'), await single('insider')]).toEqual([404, 200]);
    expect(await seen()).not.toContain(place.key);
    await dwell.types('sync');
    expect([await single('outsider'), await single('insider')]).toEqual([404, 200]);
    expect(await seen()).toHaveLength(place.all - 1);
    expect(await seen()).not.toContain(place.key);
    const store = await openTestStore(dwell.dataDir);
    const left = await Promise.all(['file', 'jira'].map((one) => store.issues(one).countUnreadRoles()));
    store.close();
    expect(left).toEqual([0, 0]);
    await dwell.stop();
    await before.stop();
  },
);
