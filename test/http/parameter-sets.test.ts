import { describe, expect, test } from '#jest';
import { fixture } from '../support/fixture.ts';
import { startDwell } from '../support/start-dwell.ts';
import { suiteDwell } from '../support/suite-dwell.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const dwell = suiteDwell();

describe('the sample has two', () => {
  const listed = async (user = 'bob') =>
    (await dwell.as(user).get('/rest/reportSettings')).json.parameterSets;

  test('which everybody sees, and every report runs', async () => {
    const all: { id: string; name: string; ownerId: string; public: boolean }[] = await listed();
    const sets = all.filter(({ name }) => /^(App lead|Review) times$/.test(name));
    expect(sets.map(({ name, ownerId, public: isPublic }) => [name, ownerId, isPublic])).toEqual([
      ['App lead times', 'kira', true],
      ['Review times', 'ada', true],
    ]);
    for (const { id: paramSetId } of sets) {
      const verdict = await dwell.as('bob').get(`/rest/parameterSets/${paramSetId}/validate`);
      expect(verdict.json).toEqual({ valid: true, messages: [] });
      for (const path of ['/rest/issues', '/rest/issues/v2', '/rest/issues/aggregation']) {
        const { status, json } = await dwell.as('bob').get(path, { paramSetId });
        expect([path, status, json.messages]).toEqual([path, 200, undefined]);
        const { rows } = json.table.body;
        const cells = rows.flatMap((row: { valueColumns: { value: string }[] }) => row.valueColumns);
        expect(cells.some(({ value }: { value: string }) => value !== '-')).toBe(true);
      }
    }
  });

  test('which are changed and deleted like any other, for good', async () => {
    const dataDir = temporaryFolder();
    const first = await startDwell({ dataDir });
    const sets = (await first.get('/rest/reportSettings')).json.parameterSets;
    const [app, review] = sets.map(({ id }: { id: string }) => `/rest/reportSettings/${id}`);
    const boss = first.as('carl', { admin: true });
    expect((await first.as('bob').send('DELETE', app, undefined)).status).toBe(403);
    expect((await boss.send('DELETE', app, undefined)).status).toBe(204);
    expect((await boss.send('DELETE', app, undefined)).status).toBe(404);
    const changed = await first.putJson(review, { name: 'Reviews', public: false });
    expect([changed.status, changed.json.name]).toEqual([200, 'Reviews']);
    const seen = async (at: typeof first, user: string) =>
      (await at.as(user).get('/rest/reportSettings')).json.parameterSets.map(
        ({ name }: { name: string }) => name,
      );
    expect([await seen(first, 'ada'), await seen(first, 'bob')]).toEqual([['Reviews'], []]);
    await first.stop();
    const again = await startDwell({ dataDir });
    expect([await seen(again, 'ada'), (await again.get(app)).status]).toEqual([['Reviews'], 404]);
    expect((await again.send('DELETE', review, undefined)).status).toBe(204);
    expect(await seen(again, 'ada')).toEqual([]);
    await again.stop();
  });

  test('which are gone with it once there are real issues', async () => {
    const real = await startDwell();
    await real.types('import', fixture('devlake-jira-cloud.issues.json'));
    expect((await real.get('/rest/reportSettings')).json.parameterSets).toEqual([]);
    await real.stop();
  });
});

const parameters = { reportType: 'statusDuration', filterType: 'project', projectKey: 'WEB' };
let names = 0;
async function save(more: Record<string, unknown> = {}, user = 'ada'): Promise<string> {
  names += 1;
  const body = { name: `Set ${names}`, parameters: { ...parameters, ...more } };
  const { status, json } = await dwell.as(user).postJson('/rest/reportSettings', body);
  expect([status, json.messages]).toEqual([200, undefined]);
  return json.id;
}

describe('saving and reading', () => {
  test('a set is told with its whole configuration, in a list without it', async () => {
    const { json } = await dwell.postJson('/rest/parameterSets', { name: 'Mine', parameters });
    expect(json).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'Mine',
      ownerId: 'ada',
      public: false,
      parameters,
      createdAt: '2026-03-18T12:00:00.000Z',
      updatedAt: '2026-03-18T12:00:00.000Z',
    });
    for (const path of ['/rest/reportSettings', '/rest/parameterSets']) {
      expect((await dwell.get(`${path}/${json.id}`)).json).toEqual(json);
      const list = (await dwell.get(path)).json;
      expect(list).toMatchObject({ pageNumber: 0, last: true, total: list.parameterSets.length });
      expect(list.parameterSets).toContainEqual({
        id: json.id,
        name: 'Mine',
        ownerId: 'ada',
        public: false,
      });
      expect(list.elements).toEqual(list.parameterSets);
    }
  });

  test('a change replaces what it names', async () => {
    const id = await save();
    const { json } = await dwell.putJson(`/rest/reportSettings/${id}`, { public: true });
    expect(json).toMatchObject({ id, public: true, parameters });
    expect((await dwell.as('bob').get(`/rest/reportSettings/${id}`)).status).toBe(200);
  });

  test('the list and the search have pages', async () => {
    const { json: created } = await dwell.postJson('/rest/reportSettings', { name: 'Zebra', parameters });
    const all = (await dwell.get('/rest/reportSettings')).json;
    const page = (await dwell.get('/rest/reportSettings', { maxResults: '1', pageNumber: '1' })).json;
    expect(page).toMatchObject({ pageNumber: 1, pageSize: 1, total: all.total });
    expect(page.parameterSets).toEqual(all.parameterSets.slice(1, 2));
    const found = (await dwell.get('/rest/parameterSets/search', { name: 'zEBr' })).json;
    expect(found.parameterSets.map(({ id }: { id: string }) => id)).toEqual([created.id]);
  });

  test('what is private reads like what never was', async () => {
    const id = await save({}, 'carl');
    const never = '00000000-0000-4000-8000-000000000000';
    const ask = async (path: string) => {
      const { status, json } = await dwell.as('bob').get(path);
      return { status, text: JSON.stringify(json).replaceAll(id, never) };
    };
    for (const path of ['/rest/reportSettings/ID', '/rest/parameterSets/ID/validate']) {
      const [own, other] = [await ask(path.replace('ID', id)), await ask(path.replace('ID', never))];
      expect(own.status).toBe(404);
      expect(own).toEqual(other);
    }
    const used = await dwell
      .as('bob')
      .get('/rest/issues', { paramSetId: id, filterType: 'user', user: 'bob', columnsBy: 'statusCount' });
    expect(used.status).toBe(404);
    expect((await dwell.as('ada', { admin: true }).get(`/rest/reportSettings/${id}`)).status).toBe(200);
    expect((await dwell.as('bob').putJson(`/rest/reportSettings/${id}`, { public: true })).status).toBe(404);
  });

  test.each([
    [{ parameters }, 'name is required. Try: a text.'],
    [{ name: 'No parameters' }, 'parameters is required. Try: an object.'],
    [{ name: 1, parameters }, "name '1' is of the wrong kind. Try: a text."],
    [{ name: 'x', parameters: [] }, "parameters '[]' is of the wrong kind. Try: an object."],
    [{ name: 'x', public: 'yes', parameters }, "public 'yes' is of the wrong kind. Try: true or false."],
  ])('%j is refused', async (body, sentence) => {
    const { status, json } = await dwell.postJson('/rest/reportSettings', body);
    expect([status, json.messages]).toEqual([400, [sentence]]);
  });
});

describe('deleting', () => {
  const remove = async (id: string, user = 'ada', path = '/rest/reportSettings') => {
    const { status, text, json } = await dwell.as(user).send('DELETE', `${path}/${id}`, undefined);
    return [status, json?.messages ?? text];
  };

  test('takes a set away from lists, searches and reports', async () => {
    for (const path of ['/rest/reportSettings', '/rest/parameterSets']) {
      const id = await save();
      const total = async () => (await dwell.get(path)).json.total;
      const before = await total();
      expect(await remove(id, 'ada', path)).toEqual([204, '']);
      expect(await total()).toBe(before - 1);
      const used = await dwell.get('/rest/issues', { paramSetId: id });
      expect([used.status, used.json.messages]).toEqual([
        404,
        [`parameter set '${id}' could not be found. Try: the ids of GET /rest/parameterSets.`],
      ]);
      for (const [again] of [await remove(id), await remove(id, 'bob')]) expect(again).toBe(404);
    }
  });

  test('is for its owner and for administrators', async () => {
    const [closed, open] = [await save(), await save()];
    await dwell.putJson(`/rest/reportSettings/${open}`, { public: true });
    expect(await remove(open, 'bob')).toEqual([
      403,
      [`parameter set '${open}' belongs to 'ada'; only its owner and administrators can change it.`],
    ]);
    expect((await remove(closed, 'bob'))[0]).toBe(404);
    expect((await dwell.send('DELETE', `/rest/reportSettings/${open}`, {})).status).toBe(401);
    for (const id of [closed, open]) {
      const boss = dwell.as('carl', { admin: true });
      expect((await boss.send('DELETE', `/rest/reportSettings/${id}`, undefined)).status).toBe(204);
    }
  });
});

describe('using', () => {
  const run = async (path: string, asked: Record<string, string>) => {
    const { status, json, text } = await dwell.get(path, asked);
    expect([status, json?.messages]).toEqual([200, undefined]);
    return json ?? text;
  };

  test('takes every parameter from the set, and the explicit ones before it', async () => {
    const paramSetId = await save({ viewFormat: 'hours', fields: ['priority', 'issuetype'], pageSize: 3 });
    const json = await run('/rest/issues', { paramSetId });
    expect(json).toMatchObject({ columnsBy: 'statusDuration', viewFormat: 'hours', pageSize: 3 });
    expect(json.query).toBe('project = "WEB"');
    expect(json.table.header.fieldColumns).toHaveLength(2);
    const other = await run('/rest/issues', {
      PARAMSETID: paramSetId,
      VIEWFORMAT: 'days',
      projectkey: 'APP',
    });
    expect(other).toMatchObject({ viewFormat: 'days', query: 'project = "APP"' });
  });

  test('works on every report endpoint', async () => {
    const paramSetId = await save();
    await run('/rest/issue', { paramSetId, issueKey: 'WEB-1' });
    await run('/rest/issue/expanded', { paramSetId, issueKey: 'WEB-1' });
    await run('/rest/list', { paramSetId });
    await run('/rest/list2', { paramSetId });
    await run('/rest/aggregation', { paramSetId, aggregationType: 'sum' });
    await run('/rest/smallexport', { paramSetId, outputType: 'CSV' });
    expect((await dwell.post('/rest/export/status', { paramSetId, outputType: 'CSVSUM' })).status).toBe(200);
  });

  test('of an aggregation in a list ignores the statistic; a list in an aggregation needs one', async () => {
    const average = await save({ aggregationType: 'average', averageDenominator: 'all' });
    expect(await run('/rest/issues', { paramSetId: average })).toMatchObject({ isAggregationType: false });
    expect(await run('/rest/aggregation', { paramSetId: average })).toMatchObject({
      isAverage: true,
      averageDenominator: 'all',
    });
    expect(await run('/rest/aggregation', { paramSetId: average, aggregationType: 'sum' })).toMatchObject({
      isSum: true,
    });
    const { status, json } = await dwell.get('/rest/aggregation', { paramSetId: await save() });
    expect([status, json.messages]).toEqual([400, ['aggregationType is required.']]);
  });

  test('reads lists, objects and the members of screens', async () => {
    const paramSetId = await save({
      reportType: 'durationBetweenStatuses',
      dbsMetrics: [{ name: 'Work', startAt: { ids: ['3'] }, stopAt: { ids: ['10002'] } }],
      statuses: [{ id: '3', type: 'std' }, { id: 10002 }],
      includeDeletedStatuses: true,
      user: null,
      nextPageToken: 'stale',
      startIssueIndex: 7,
    });
    const json = await run('/rest/issues/v2', { paramSetId });
    expect(json.table.header.valueColumns).toEqual([{ id: 'Work', value: 'Work', isConsolidated: false }]);
    const plain = await run('/rest/issues', { paramSetId, columnsBy: 'statusDuration' });
    expect(plain.table.header.valueColumns.map(({ id }: { id: string }) => id)).toEqual(['3', '10002']);
  });

  test('reads the words of screens, too', async () => {
    const paramSetId = await save({ outputType: 'tableList', dayLength: 'calendarDays', dbsMetrics: '[]' });
    expect(await run('/rest/issues', { paramSetId })).toHaveProperty('table');
    expect((await dwell.get(`/rest/reportSettings/${paramSetId}/validate`)).json).toEqual({
      valid: true,
      messages: [],
    });
  });

  test('leaves aside a kind of answer or report that the endpoint does not have', async () => {
    const paramSetId = await save({ outputType: 'XLSX' });
    expect(await run('/rest/issues', { paramSetId })).toHaveProperty('table');
    const flat = await save({ outputType: 'jsonSimplified' });
    expect(await run('/rest/issues', { paramSetId: flat })).toHaveProperty('results');
    // An export has no kind of file that could stand in.
    const { json } = await dwell.get('/rest/smallexport', { paramSetId: flat });
    expect(json.messages).toEqual([
      "outputType 'jsonSimplified' is not known. Try: XLSX, XLS, JSON, CSV, CSVAVERAGE, CSVSUM, CSVMEDIAN, CSVSTDDEV.",
    ]);
    const visits = await save({ reportType: 'statusDurationExpanded' });
    const { status } = await dwell.get('/rest/issues', { paramSetId: visits });
    expect(status).toBe(400);
  });

  test('checks what was saved', async () => {
    const paramSetId = await save({ viewFormat: 'weeks' });
    const { status, json } = await dwell.get('/rest/issues', { paramSetId });
    expect([status, json.messages]).toEqual([400, [expect.stringContaining("viewFormat 'weeks'")]]);
  });

  test('names what it holds and no report takes', async () => {
    const id = await save({ calender: 'Berlin', nextPageToken: 'x' });
    const answer = await dwell.get('/rest/issues/v2', { paramSetId: id, extra: '1' });
    expect(answer.status).toBe(200);
    expect(answer.json.ignoredParameters).toEqual(['extra', 'calender']);
    expect(answer.headers.get('x-ignored-parameters')).toBe('extra, calender');
  });

  test('an unknown set is not found', async () => {
    const { status, json } = await dwell.get('/rest/issue', {
      issueKey: 'WEB-1',
      columnsBy: 'statusDuration',
      paramSetId: 'nonsense',
    });
    expect([status, json.message]).toEqual([404, 'The parameter set could not be found.']);
    expect(json.errors).toEqual({ paramSetId: json.messages[0] });
  });
});

describe('validating', () => {
  const validate = async (body: unknown, path = '/rest/parameterSets/validate') => {
    const { status, json } = await dwell.postJson(path, body);
    expect(status).toBe(200);
    return json;
  };

  test.each([
    parameters,
    { parameters },
    { ...parameters, aggregationType: 'median', groupByFields: ['issuetype'] },
    { reportType: 'statusDurationExpanded' },
    { reportType: 'statusDurationExpanded', issueKey: 'WEB-1' },
    { columnsBy: 'assigneeDuration', issueKey: 'WEB-1' },
  ])('%j is good', async (body) => {
    expect(await validate(body)).toEqual({ valid: true, messages: [] });
    expect(await validate(body, '/rest/reportSettings/validate')).toEqual({ valid: true, messages: [] });
  });

  test.each([
    [{ reportType: 'statusDuration' }, 'filterType is required.'],
    [{ filterType: 'project' }, 'columnsBy is required.'],
    [
      { reportType: 'statusDuration', filterType: 'project' },
      'projectKey is required with filterType project.',
    ],
    [{ ...parameters, projectKey: 'NOPE' }, "projectKey 'NOPE' could not be found"],
    [{ ...parameters, aggregationType: 'max' }, "aggregationType 'max' is not known"],
    [{ ...parameters, statuses: ['nonsense'] }, "statuses 'nonsense' is not a status id"],
    [{ ...parameters, calendar: '1', dayLength: 'businessDays' }, "dayLength 'businessDays' cannot be used"],
    [{ columnsBy: 'statusDuration', issueKey: 'WEB-0' }, "issueKey 'WEB-0' could not be found."],
  ])('%j is not, and the verdict says why', async (body, sentence) => {
    const { valid, messages } = await validate(body);
    expect(valid).toBe(false);
    expect(messages[0]).toContain(sentence);
  });

  test('a saved set is validated by its id', async () => {
    const [good, bad] = [await save(), await save({ viewFormat: 'weeks' })];
    expect((await dwell.get(`/rest/reportSettings/${good}/validate`)).json.valid).toBe(true);
    expect((await dwell.get(`/rest/parameterSets/${bad}/validate`)).json).toEqual({
      valid: false,
      messages: ["viewFormat 'weeks' is not known. Try: days, hours, minutes, seconds, humanReadable."],
    });
  });
});
