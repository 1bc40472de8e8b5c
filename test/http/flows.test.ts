import fc from 'fast-check';
import { beforeAll, describe, expect, test } from '#jest';
import { exportFile, jiraIssue, movesTo, searchResult } from '../support/jira-export.ts';
import { runs } from '../support/soak.ts';
import { suiteDwell } from '../support/suite-dwell.ts';

interface Stage {
  readonly name: string;
  readonly kind: string;
  readonly statuses: readonly (string | { readonly id: string; readonly name: string })[];
}

const stage = (name: string, kind: string, ...statuses: string[]): Stage => ({ name, kind, statuses });

/** Reviews and the queue of QA wait. */
const waiting = [
  stage('Backlog', 'queue', 'To Do', 'analysis'),
  stage('Doing', 'active', '3'),
  stage('Waiting', 'waiting', 'In Review', 'Blocked'),
  stage('Done', 'done', 'QA', 'Done'),
];

const ofWeb = { filterType: 'project', projectKey: 'WEB', week: '2026-W10' };

describe('the flow of a project', () => {
  const dwell = suiteDwell();
  const get = async (key = 'WEB') => (await dwell.get(`/rest/flows/${key}`)).json;
  const put = (body: unknown, key = 'WEB') =>
    dwell.as('boss', { admin: true }).putJson(`/rest/flows/${key}`, body);
  const putDefault = async (key = 'WEB') => {
    const { revision } = await get(key);
    return put({ revision, isDefault: true }, key);
  };

  test('is derived from categories and the order of the workflow until one is set, and says so', async () => {
    const flow = await get('OPS');
    expect(flow).toMatchObject({ projectKey: 'OPS', isDefault: true, revision: 0, changes: [] });
    expect(flow.stages.map(({ name, kind, statuses }: Stage) => [name, kind, statuses])).toEqual([
      ['To Do', 'queue', [{ id: '1', name: 'Open' }]],
      ['In Progress', 'active', [{ id: '3', name: 'In Progress' }]],
      ['Waiting for customer', 'active', [{ id: '10006', name: 'Waiting for customer' }]],
      ['Blocked', 'active', [{ id: '10005', name: 'Blocked' }]],
      [
        'Done',
        'done',
        [
          { id: '5', name: 'Resolved' },
          { id: '6', name: 'Closed' },
        ],
      ],
    ]);
    expect([flow.start, flow.end, flow.pauses, flow.unplaced]).toEqual(['In Progress', 'Done', false, []]);
  });

  test('is set with statuses by name or id, and figures go by it from the next question on', async () => {
    const before = (await dwell.get('/rest/issues/weekly', ofWeb)).json;
    const { status, json } = await put({ revision: 0, stages: waiting, pauses: true }, 'web');
    expect([status, json.revision, json.isDefault, json.start, json.end]).toEqual([
      ...[200, 1, false, 'Doing', 'Done'],
    ]);
    expect(json.changes).toEqual([{ at: '2026-03-18T12:00:00.000Z', by: 'boss' }]);
    expect(json.stages[2]).toEqual({
      ...waiting[2],
      statuses: [
        { id: '10003', name: 'In Review' },
        { id: '10005', name: 'Blocked' },
      ],
    });
    expect(await get()).toEqual(json);
    const after = (await dwell.get('/rest/issues/weekly', ofWeb)).json;
    expect(before.finished.week).toBeGreaterThan(0);
    expect(after.finished.week).not.toBe(before.finished.week);
    expect(after.flowEfficiency.week).toBeLessThan(1);
    expect((await putDefault()).json.isDefault).toBe(true);
    expect((await dwell.get('/rest/issues/weekly', ofWeb)).json).toEqual(before);
  });

  test('can be sent back as it was answered, which changes nothing, or with one thing changed', async () => {
    const first = await get();
    expect((await put(first)).json).toEqual(first);
    const pausing = (await put({ ...first, pauses: true })).json;
    expect(pausing).toMatchObject({ pauses: true, isDefault: false, revision: first.revision + 1 });
    expect((await put(pausing)).json).toEqual(pausing);
    // The stages of the answer do not matter where it is to be the default again.
    const back = (await put({ ...pausing, isDefault: true })).json;
    expect(back).toMatchObject({ stages: first.stages, pauses: false, isDefault: true });
    const fixed = (await put({ ...back, isDefault: false })).json;
    expect(fixed).toMatchObject({ stages: first.stages, isDefault: false, revision: back.revision + 1 });
    await putDefault();
  });

  test('has a target that weeks and ages go by, and that is learned where none is set', async () => {
    const first = await get();
    expect(first.target).toBeNull();
    const ofAges = { filterType: 'project', projectKey: 'WEB' };
    const learned = (await dwell.get('/rest/issues/weekly', ofWeb)).json.target;
    expect(learned).toMatchObject({ project: 'WEB', percent: 85, source: 'learned' });
    const target = { percent: 60, days: 1.5 };
    const variants = [{ issueTypes: ['Bug'], stages: first.stages, target: { percent: 90, days: 1 } }];
    const set = (await put({ ...first, target })).json;
    expect(set).toMatchObject({ target, isDefault: false, revision: first.revision + 1 });
    const withinMs = 36 * 3_600_000;
    const { json: week } = await dwell.get('/rest/issues/weekly', ofWeb);
    expect(week.target).toMatchObject({ percent: 60, withinMs, source: 'set', finished: learned.finished });
    expect(week.target.finishedWithin).toBeLessThanOrEqual(learned.finishedWithin);
    const { json: aging } = await dwell.get('/rest/issues/aging', ofAges);
    expect(aging.target).toMatchObject({ percent: 60, withinMs, source: 'set' });
    for (const { workMs, target: own } of aging.issues)
      expect(own).toEqual({
        ...{ percent: 60, withinMs, source: 'set', isMissed: workMs > withinMs },
        dueAt: new Date(Date.parse('2026-03-18T12:00:00.000Z') + withinMs - workMs).toISOString(),
      });
    const varied = (await put({ ...set, variants })).json;
    expect(varied.variants).toMatchObject([{ issueTypes: ['Bug'], target: { percent: 90, days: 1 } }]);
    const { json: byType } = await dwell.get('/rest/issues/weekly', ofWeb);
    expect(byType.target).toMatchObject({ percent: null, withinMs: null, source: 'mixed' });
    expect((await put({ ...varied, target: { percent: 85, days: 0 } })).json.messages).toEqual([
      "target.days '0' is not more than 0. Try: 8.",
    ]);
    await putDefault();
  });

  test('is refused where it was changed since it was read', async () => {
    const read = await get('APP');
    expect((await put({ ...read, pauses: true }, 'APP')).status).toBe(200);
    const { status, json } = await put({ ...read, blockedBy: { links: false } }, 'APP');
    expect([status, json.reason, json.messages]).toEqual([
      409,
      'changed-meanwhile',
      ["revision '0' is not the latest one, 1. Try: read the flow again."],
    ]);
    expect((await get('APP')).blockedBy.links).toBe(true);
    expect((await put({ revision: 0, isDefault: true }, 'APP')).status).toBe(409);
    await putDefault('APP');
  });

  const doing = stage('Doing', 'active', 'In Progress');
  const done = stage('Done', 'done', 'Done');
  const wrong: readonly (readonly [string, object, string])[] = [
    [
      'a status in two stages',
      { stages: [stage('Ready', 'queue', 'done'), doing, done] },
      "stages[2].statuses 'Done' is in the stages 'Ready' and 'Done'. Try: it in one of them.",
    ],
    [
      'no end',
      { stages: [doing, stage('QA', 'waiting', 'QA')] },
      'end is missing: no stage is done. Try: a stage of kind done.',
    ],
    [
      'an end without a status',
      { stages: [doing, stage('Done', 'done')] },
      'stages[1].statuses are empty, so nothing would end the clock. Try: a status.',
    ],
    [
      'an end before the start',
      { stages: [done, doing] },
      "end 'Done' does not come after the start, 'Doing'.",
    ],
    [
      'an end that is no stage',
      { stages: [doing, done], end: 'Shipped' },
      "end 'Shipped' is not a stage. Try: Doing, Done.",
    ],
    [
      'no start',
      { stages: [stage('To Do', 'queue', 'To Do'), done] },
      'start is missing: no stage is active or waiting. Try: a stage of kind active.',
    ],
    [
      'a start that is a queue',
      { stages: [stage('Ready', 'queue', 'To Do'), doing, done], start: 'ready' },
      "start 'Ready' is of kind queue. Try: a stage of kind active or waiting.",
    ],
    [
      'an unknown status',
      { stages: [stage('Doing', 'active', 'In Progres'), done] },
      "stages[0].statuses 'In Progres' is not a status here. Try: To Do, Analysis, In Progress, Blocked, In Review, QA, Done.",
    ],
    [
      'an unknown status in a variant',
      {
        stages: [doing, done],
        variants: [{ issueTypes: ['Bug'], stages: [stage('A', 'active', 'x'), done] }],
      },
      "variants[0].stages[0].statuses 'x' is not a status here. Try: To Do, Analysis, In Progress, Blocked, In Review, QA, Done.",
    ],
    [
      'an issue type in two variants',
      {
        stages: [doing, done],
        variants: [
          { issueTypes: ['Bug'], stages: [doing, done] },
          { issueTypes: ['bug'], stages: [doing, done] },
        ],
      },
      "variants name the issue type 'bug' twice. Try: it in one of them.",
    ],
    [
      'two stages of a name',
      { stages: [doing, stage('doing', 'waiting', 'QA'), done] },
      "stages[1].name 'doing' is the name of two stages. Try: another name.",
    ],
    [
      'a queue after the start',
      { stages: [doing, stage('Shelf', 'queue', 'QA'), done] },
      "stages[1].kind 'Shelf' is a queue after the start. Try: waiting, or a place before the start.",
    ],
    [
      'a misspelt member',
      { stages: [doing, done], blockedby: { flag: false } },
      'blockedby is not known. Try: revision, isDefault, stages, start, end, pauses, target, blockedBy, notCounted, variants, projectKey, unplaced, changes.',
    ],
    [
      'a misspelt member within',
      { stages: [{ ...doing, status: [] }, done] },
      'stages[0].status is not known. Try: name, kind, statuses.',
    ],
    [
      'another kind of stage',
      { stages: [stage('Doing', 'busy', 'In Progress'), done] },
      "stages[0].kind 'busy' is not known. Try: queue, active, waiting, done.",
    ],
    [
      'a status that is none',
      { stages: [{ ...doing, statuses: [3] }, done] },
      "stages[0].statuses[0] '3' is not a status. Try: its id, or its name.",
    ],
    [
      'a name that is too long',
      { stages: [doing, { ...done, name: 'Done'.repeat(16) }] },
      `stages[1].name '${'Done'.repeat(16)}' is too long. Try: up to 60 characters.`,
    ],
    ['no stages', {}, 'stages is required. Try: a list.'],
    [
      'a revision that is none',
      { revision: 'latest', isDefault: true },
      "revision 'latest' is of the wrong kind. Try: a number.",
    ],
  ];

  test.each(wrong)('is refused with %s', async (_, body, sentence) => {
    const { revision } = await get();
    const { status, json } = await put({ revision, ...body });
    expect([status, json.messages]).toEqual([400, [sentence]]);
    expect(Object.values(json.errors)).toEqual([sentence]);
    expect((await get()).revision).toBe(revision);
  });

  test('is changed by admins alone where the tracker has none of a project', async () => {
    const { status, json } = await dwell
      .as('bob')
      .putJson('/rest/flows/WEB', { revision: 0, isDefault: true });
    expect([status, json.reason, json.messages]).toEqual([
      403,
      'admin-only',
      ['Only an admin of Dwell, or of the project WEB in its tracker, can change its flow.'],
    ]);
  });

  test('comes back as it was set, whatever statuses its stages have', async () => {
    const ids = ['10000', '10010', '3', '10005', '10003', '10004', '10002'];
    const placed = fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 7, maxLength: 7 });
    const kinds = ['queue', 'active', 'waiting', 'done'];
    await fc.assert(
      fc.asyncProperty(placed, fc.boolean(), async (places, pauses) => {
        const inPlace = (place: number) => ids.filter((_, i) => places[i] === place);
        const stages = kinds.map((kind, place) => stage(kind, kind, ...inPlace(place)));
        const { revision } = await get('WEB');
        const { status, json } = await put({ revision, stages, pauses });
        expect(status).toBe(inPlace(3).length === 0 ? 400 : 200);
        if (status !== 200) return;
        expect(
          json.stages.map((one: { statuses: { id: string }[] }) => one.statuses.map(({ id }) => id)),
        ).toEqual(kinds.map((_, place) => inPlace(place)));
        expect(json.unplaced.map(({ id }: { id: string }) => id)).toEqual(inPlace(4));
        expect(await get()).toEqual(json);
        expect((await put(json)).json).toEqual(json);
      }),
      { numRuns: runs(12) },
    );
    await putDefault();
  });
});

describe('the flow of a project that a person cannot see', () => {
  const dwell = suiteDwell({ environment: { TRACKER: 'file' } });
  beforeAll(async () => {
    const moved = jiraIssue('SEC-1').at('2026-03-03T09:00:00.000Z', movesTo('In Progress'));
    await dwell.types('import', exportFile(searchResult(moved.onCloud())));
    await dwell.types('access', 'SEC', '--to', 'grace');
  });

  test('is not found, neither to read nor to change', async () => {
    const problem =
      "projectKey 'SEC' is not a project, or you don't have access to it. Try: the key of a project.";
    const bob = dwell.as('bob');
    for (const { status, json } of [
      await bob.get('/rest/flows/SEC'),
      await bob.putJson('/rest/flows/SEC', { revision: 0, isDefault: true }),
    ])
      expect([status, json.reason, json.messages]).toEqual([404, 'unknown-project', [problem]]);
    const grace = await dwell.as('grace').get('/rest/flows/sec');
    expect([grace.status, grace.json.projectKey]).toEqual([200, 'SEC']);
  });

  test('shows no name of a status that only hidden issues are in', async () => {
    const move = { field: 'status', fieldtype: 'jira', from: '8', fromString: 'In Progress' };
    const open = jiraIssue('PUB-1').at('2026-03-03T09:00:00.000Z', movesTo('In Progress')).onCloud();
    const hidden = jiraIssue('PUB-2').at('2026-03-03T09:00:00.000Z', movesTo('In Progress')).onCloud();
    hidden.changelog?.histories.unshift({
      ...{ id: '10009', author: { accountId: 'grace', displayName: 'Grace' } },
      created: '2026-03-04T09:00:00.000+0000',
      items: [{ ...move, to: '90', toString: 'Firing Carl' }],
    });
    if (hidden.changelog !== undefined) hidden.changelog.total = 2;
    Object.assign(hidden.fields, {
      status: { id: '90', name: 'Firing Carl', statusCategory: { key: 'indeterminate' } },
      security: { id: '10700', name: 'Board' },
    });
    await dwell.types('import', exportFile(searchResult(open, hidden)));
    await dwell.types('access', 'PUB', '--to', 'bob,grace');
    await dwell.types('access', '--level', '10700', '--to', 'grace');
    const boss = dwell.as('boss', { admin: true });
    const stages = [stage('Doing', 'active', 'In Progress', 'Firing Carl'), stage('To Do', 'done', 'To Do')];
    const { json } = await boss.putJson('/rest/flows/PUB', { revision: 0, stages });
    expect(json.stages[0].statuses).toContainEqual({ id: '90', name: 'Firing Carl' });
    const statuses = async (user: string) =>
      (await dwell.as(user).get('/rest/flows/PUB')).json.stages[0].statuses;
    expect(await statuses('grace')).toEqual(json.stages[0].statuses);
    expect(await statuses('bob')).toEqual([
      { id: '8', name: 'In Progress' },
      { id: '90', name: '90' },
    ]);
  });
});
