import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '#jest';
import { buildTracker } from '../../src/compose/build-tracker.ts';
import { exportFile, jiraIssue, movesTo, searchResult } from '../support/jira-export.ts';
import { startDwell, type TestDwell } from '../support/start-dwell.ts';
import { suiteDwell } from '../support/suite-dwell.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const durations = { columnsBy: 'statusDuration', filterType: 'customjql' };

describe('an order of many terms', () => {
  const dwell = suiteDwell();

  const keysInOrder = async (orderBy: string) => {
    const form = { ...durations, customjql: `project = WEB ORDER BY ${orderBy}`, outputType: 'csv' };
    const { status, text } = await dwell.post('/rest/issues', { ...form, pageSize: '1000' });
    return [status, ...text.split('\r\n').map((line) => line.split(',')[0])];
  };

  test('is that of the different ones among them: a field that comes again decides nothing', async () => {
    const once = await keysInOrder('priority DESC, created ASC');
    expect(once[0]).toBe(200);
    expect(once.length).toBeGreaterThan(100);
    const many = Array.from({ length: 40 }, () => 'created DESC, PRIORITY').join(', ');
    expect(await keysInOrder(`priority DESC, created ASC, ${many}`)).toEqual(once);
  });

  test('is refused with what works where more than 16 fields differ', async () => {
    const fields = ['key', 'project', 'status', 'statusCategory', 'assignee', 'reporter', 'creator', 'type']
      .concat(['priority', 'resolution', 'labels', 'component', 'fixVersion', 'sprint', 'summary', 'created'])
      .concat(['updated']);
    const ask = (orderBy: readonly string[]) =>
      dwell.post('/rest/issues/v2', { ...durations, customjql: `ORDER BY ${orderBy.join(', ')}` });
    const { status, json } = await ask(fields);
    expect([status, json.messages]).toEqual([
      400,
      ['customjql: ORDER BY names more than 16 different fields. Try: fewer fields, 16 at most.'],
    ]);
    expect((await ask(fields.slice(1))).status).toBe(200);
  });
});

describe('an answer of very many cells', () => {
  const dwell = suiteDwell();
  beforeAll(async () => {
    const issues = Array.from({ length: 850 }, (_, i) => ({
      id: String(10_000 + i),
      key: `BIG-${i + 1}`,
      fields: {
        project: { id: '1', key: 'BIG', name: 'Big' },
        summary: `No other is called ${i}`,
        created: '2026-01-05T09:00:00.000+0000',
        updated: '2026-02-05T09:00:00.000+0000',
        status: { id: '3', name: 'In Progress', statusCategory: { key: 'indeterminate' } },
        assignee: { accountId: `person-${i % 600}`, displayName: `Person ${i % 600}` },
      },
      changelog: { startAt: 0, maxResults: 0, total: 0, histories: [] },
    }));
    const file = join(temporaryFolder(), 'big.json');
    writeFileSync(file, JSON.stringify({ startAt: 0, maxResults: 850, total: 850, issues }));
    await dwell.types('import', file);
  });

  const grouped = (groupByFields: string, columnsBy: string, more: Record<string, string> = {}) =>
    dwell.get('/rest/issues/aggregation', {
      ...durations,
      customjql: 'project = BIG',
      aggregationType: 'average',
      columnsBy,
      groupByFields,
      ...more,
    });

  test('is refused before it is made, and says which choice is too wide', async () => {
    const { status, json } = await grouped('summary', 'assigneeDuration');
    expect(status).toBe(400);
    expect(json.messages[0]).toMatch(
      /^groupByFields 'summary' makes at least \d+ groups of \d+ columns; an answer has at most 500000 cells\. Try: a field with fewer different values/,
    );
    const days = await grouped('assignee', 'statusDurationByTimePeriod', { timePeriod: 'Day' });
    expect([days.status, days.json.messages?.[0]]).toEqual([200, undefined]);
  });

  test('is refused in a file with statistics of so many groups as well', async () => {
    const { status, json } = await dwell.post('/rest/smallexport', {
      ...durations,
      customjql: 'project = BIG',
      columnsBy: 'assigneeDuration',
      groupByFields: 'summary',
      outputType: 'XLSX',
    });
    expect([status, json.messages[0]]).toEqual([
      400,
      expect.stringMatching(/^groupByFields 'summary' makes/),
    ]);
  });

  test('is written part by part where it may be given, every part of it', async () => {
    const { status, headers, json } = await grouped('summary', 'statusDuration', {
      customjql: 'project = BIG',
    });
    expect(status).toBe(200);
    expect([headers.get('transfer-encoding'), headers.get('content-length')]).toEqual(['chunked', null]);
    expect(json.table.body.rows).toHaveLength(850);
    expect(json.table.body.rows[849].issueCount).toBe(1);
    const csv = await grouped('summary', 'statusDuration', { outputType: 'csv' });
    expect(csv.text.split('\r\n')).toHaveLength(852);
    const one = await dwell.get(
      '/rest/issue',
      { issueKey: 'BIG-1', columnsBy: 'statusDuration' },
      { ...(await dwell.headerOf('ada')), 'Accept-Encoding': 'identity' },
    );
    expect(one.headers.get('content-length')).toBe(String(Buffer.byteLength(one.text)));
  });
});

describe.each(['read one by one', 'in columns'])('issues with many values in several fields, %s', (how) => {
  let dwell: TestDwell;
  const fieldsOf = (count: number, first: number) => {
    const ids = Array.from({ length: count }, (_, i) => String(first + i));
    const values = ids.map((id) => ({ id, name: `Value ${id}` }));
    const labels = values.map(({ id }) => `label-${id}`);
    return { labels, components: values, fixVersions: values, versions: values };
  };
  const issueWith = (key: string, count: number, first = 1) => {
    const moves = Array.from({ length: 8 }, (_, i) => movesTo(`Step ${i}`));
    const story = moves.reduce((so, move, i) => so.at(`2026-03-0${i + 1}T12:00:00Z`, move), jiraIssue(key));
    const raw = story.onCloud();
    return { ...raw, fields: { ...raw.fields, ...fieldsOf(count, first) } };
  };
  beforeAll(async () => {
    dwell = await startDwell({ environment: { TRACKER: 'file' } });
    const some = Array.from({ length: 10 }, (_, i) => issueWith(`SOME-${i + 1}`, 6));
    const others = Array.from({ length: 5 }, (_, i) => issueWith(`OTHER-${i + 1}`, 14, 14 * i));
    const alike = Array.from({ length: 1_100 }, (_, i) => issueWith(`ALIKE-${i + 1}`, 14));
    const issues = [issueWith('MANY-1', 60), ...some, ...others, ...(how === 'in columns' ? alike : [])];
    await dwell.types('import', exportFile(searchResult(...issues)));
    if (how !== 'in columns') return;
    // A query over fields has them held in columns.
    const fields = ['labels', 'component', 'fixVersion', 'affectedVersion'];
    const customjql = fields.map((field) => `${field} is EMPTY`).join(' OR ');
    const { status } = await dwell.get('/rest/issues', { ...durations, customjql });
    expect(status).toBe(200);
  });
  afterAll(() => dwell.stop());

  const grouped = (customjql: string, columnsBy: string, groupByFields: string) =>
    dwell.get('/rest/issues/aggregation', {
      ...{ ...durations, aggregationType: 'average', timePeriod: 'Week', historyFields: 'status' },
      ...{ customjql, columnsBy, groupByFields },
    });
  const all = 'labels,components,fixVersions,versions';

  test('are refused before their combinations are made, whatever the report', async () => {
    const refusals = await Promise.all(
      [
        'statusDuration',
        'assigneeDuration',
        'statusCount',
        'anyFieldDuration',
        'statusDurationByTimePeriod',
      ].map(async (columnsBy) => {
        const { status, json } = await grouped('key = MANY-1', columnsBy, all);
        return [columnsBy, status, json.messages?.[0]];
      }),
    );
    for (const [columnsBy, ...refusal] of refusals) {
      expect([columnsBy, ...refusal]).toEqual([
        columnsBy,
        400,
        expect.stringMatching(
          /^groupByFields 'labels,components,fixVersions,versions' makes at least 12960000 groups of \d+ columns?; an answer has at most 500000 cells\. Try: a field with fewer different values/,
        ),
      ]);
    }
    const { status, json } = await dwell.post('/rest/smallexport', {
      ...{ ...durations, customjql: 'key = MANY-1', groupByFields: all, outputType: 'XLSX' },
    });
    expect([status, json.messages[0]]).toEqual([
      400,
      expect.stringMatching(/ makes at least 12960000 groups /),
    ]);
  });

  test('are refused as soon as they have too many groups together', async () => {
    for (const columnsBy of ['statusDuration', 'anyFieldDuration']) {
      const { status, json } = await grouped('project = OTHER', columnsBy, all);
      expect([status, json.messages?.[0]]).toEqual([
        400,
        expect.stringMatching(/ makes at least \d{5} groups of 9 /),
      ]);
    }
  });

  // Read one by one, so many would take a minute; `collectGroups` has a test of its own.
  if (how === 'in columns') {
    test('are refused where they are in few groups, but each in all of them', async () => {
      const { status, json } = await grouped('project = ALIKE', 'statusDuration', all);
      expect([status, json.messages?.[0]]).toEqual([
        400,
        "groupByFields 'labels,components,fixVersions,versions' puts each issue into too many groups. Try: a field with fewer values in an issue, fewer fields, or fewer issues.",
      ]);
    });
  }

  test('are each in a group of every combination where these are few enough', async () => {
    const { status, json } = await grouped('project = SOME', 'statusDuration', all);
    const counts = json.table.body.rows.map(({ issueCount }: { issueCount: number }) => issueCount);
    expect([status, counts]).toEqual([200, new Array(6 ** 4).fill(10)]);
    const pairs = await grouped('key = MANY-1', 'anyFieldDuration', 'components,versions');
    const rows: { groupByColumns: { value: string }[] }[] = pairs.json.table.body.rows;
    const found = new Set(rows.map(({ groupByColumns }) => groupByColumns.map(({ value }) => value).join()));
    expect([pairs.status, rows.length, found.size]).toEqual([200, 3_600, 3_600]);
  });
});

describe('while one token asks for many lists', () => {
  /** Lists wait in front of all issues until they are let go; issues by their keys do not. */
  const held = Promise.withResolvers<void>();
  let looking = 0;
  const dwell = suiteDwell({
    trackerBuilder: async (config, parts) => {
      const built = await buildTracker(config, parts);
      return {
        ...built,
        mirror: async () => {
          const mirror = await built.mirror();
          return {
            ...mirror,
            async table() {
              looking += 1;
              await held.promise;
              return mirror.table();
            },
          };
        },
      };
    },
  });
  beforeAll(async () => {
    looking = 0;
  });

  const lookedAt = async (count: number) => {
    while (looking < count) await pause(5);
    // Whoever comes behind has had the time to come further than it may.
    for (let i = 0; i < 5; i += 1) await dwell.get('/healthz');
    return looking;
  };

  test('three are answered at a time, no one else waits, and a client that leaves makes room', async () => {
    const path = `${dwell.url}/rest/issues?${new URLSearchParams({ ...durations, customjql: 'project = WEB' })}`;
    const listOf = async (user: string, signal?: AbortSignal) =>
      fetch(path, { headers: await dwell.headerOf(user), ...(signal && { signal }) }).then(
        async (answer) => Number(Object(await answer.json()).total),
        () => 'left',
      );
    const running = new AbortController();
    const waiting = new AbortController();
    const listsOf = (count: number, { signal }: AbortController) =>
      Array.from({ length: count }, () => listOf('ada', signal));
    const first = listsOf(3, running);
    expect(await lookedAt(3)).toBe(3);
    const behind = listsOf(60, waiting);
    expect(await lookedAt(3)).toBe(3);
    const single = await dwell
      .as('bob')
      .get('/rest/issue', { issueKey: 'WEB-1', columnsBy: 'statusDuration' });
    expect(single.status).toBe(200);
    const bobs = listOf('bob');
    expect(await lookedAt(4)).toBe(4);
    // Those who wait leave before there is room: nobody promises who of those who leave at once is seen to leave first.
    for (const [leaving, lists] of [[waiting, behind] as const, [running, first] as const]) {
      leaving.abort();
      expect(new Set(await Promise.all(lists))).toEqual(new Set(['left']));
      expect(await lookedAt(4)).toBe(4);
    }
    const again = listOf('ada');
    expect(await lookedAt(5)).toBe(5);
    held.resolve();
    expect(await bobs).toBeGreaterThan(0);
    expect(await again).toBe(await bobs);
    // Those who left before it was their turn were never worked for.
    expect(looking).toBe(5);
  });
});
