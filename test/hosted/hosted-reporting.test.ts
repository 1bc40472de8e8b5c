import { millisecondsInHour } from 'date-fns/constants';
import fc from 'fast-check';
import { afterEach, describe, expect, test } from '#jest';
import { createHostedReporting } from '../../src/hosted/create-hosted-reporting.ts';
import { createHostedSettings } from '../../src/hosted/create-hosted-settings.ts';
import { asPrincipal, namesPrincipal } from '../../src/hosted/report-parameters.ts';
import { ask, defaultStatistic, type ReportRequest, type Statistic } from '../../src/model/request.ts';
import type { Table } from '../../src/model/table.ts';
import { linesOf } from '../contract/reporting/tables.ts';
import { caseNow } from '../support/case-reporting.ts';
import { caseWorld } from '../support/case-world.ts';
import { principalOf } from '../support/principal-of.ts';
import {
  htmlPage,
  startStandInTimepiece,
  type TimepieceOptions,
  timepieceToken,
} from '../support/stand-in-timepiece.ts';
import { failureOf } from './start-keychain.ts';
import { json, refusal, startTis, type TisAnswer, type TisCall, tisClient, tisNow } from './start-tis.ts';

const ada = principalOf('ada');
const sum: Statistic = { ...defaultStatistic, type: 'sum' };
const everything = { by: 'jql', jql: 'project in (WEB, OPS)' } as const;
const question = (more: Partial<ReportRequest> = {}) =>
  ask({ principal: ada, reportType: 'statusDuration', selection: everything, ...more });

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

/** The product, and what our client makes of it. */
async function startProduct(options: TimepieceOptions = {}) {
  let now = caseNow();
  const service = await startStandInTimepiece(options);
  const client = tisClient({ baseUrl: service.baseUrl, token: timepieceToken }, () => now);
  open.push(service, client);
  const pass = (ms: number) => {
    now += ms;
  };
  return {
    service,
    client,
    pass,
    reporting: createHostedReporting(client, { now: () => now, flows: async () => [] }),
  };
}

/** A server that answers as given. */
async function start(answer: TisAnswer) {
  const service = await startTis(answer);
  return {
    ...service,
    reporting: createHostedReporting(service.client, { now: () => tisNow, flows: async () => [] }),
  };
}

const twelve = Array.from({ length: 12 }, (_, i) => `WEB-${i + 1}`);
const formats = { dateFormat: 'dd/MMM/yy', dateTimeFormat: 'dd/MMM/yy h:mm a' };

/** A list of the product with these keys, each an hour in Doing. */
const list = (keys: readonly string[], more: object = {}) => ({
  ...formats,
  timeZone: 'Europe/Berlin',
  locale: 'en_US',
  reportDate: '18/Mar/26 1:00 PM',
  calendar: { id: null, name: 'normalHours', timeZone: 'UTC', dailyWorkingHours: 24, is7x24Calendar: true },
  ...more,
  table: {
    header: {
      headerColumns: [{ id: 'issuekey', value: 'Key' }],
      fieldColumns: [{ id: 'created', value: 'Created' }],
      valueColumns: [{ id: '3', value: 'Doing', isConsolidated: false }],
    },
    body: {
      rows: keys.map((key) => ({
        headerColumns: [{ id: 'issuekey', value: key }],
        fieldColumns: [{ id: 'created', value: '05/Mar/26 9:20 AM' }],
        valueColumns: [{ id: '3', value: '3600', raw: String(millisecondsInHour), count: '1' }],
        currentState: [],
      })),
    },
  },
});
const dwell = { askedAt: '2026-03-18T12:00:00.000Z', asOf: '2026-03-10T10:30:40.000Z', complete: true };
const keysOf = ({ issues }: Table) => issues.map(({ key }) => key);
const askedOf = (calls: readonly TisCall[], name: string) => calls.map(({ asked }) => asked[name] ?? null);

describe('a request', () => {
  test('has its dates in the zone of the service, which is asked for first', async () => {
    const { reporting, calls } = await start(json(list(['WEB-1'])));
    const from = Date.parse('2026-03-01T00:00:00Z');
    const { provenance } = await reporting.report(question({ trim: { from, to: null } }));
    expect(askedOf(calls, 'trimHistoryStartDate')).toEqual([null, '2026-03-01 01:00']);
    expect(calls[0]?.asked).toMatchObject({ columnsBy: 'statusCount', pageSize: '1' });
    expect(provenance).toMatchObject({ trim: { from, to: null }, timeZone: 'Europe/Berlin' });
    expect(await reporting.timeZoneOf(ada)).toBe('Europe/Berlin');
    expect(calls).toHaveLength(2);
  });

  test('is repeated when the zone has changed, once', async () => {
    let turn = 0;
    const zones = ['UTC', 'Asia/Tokyo', 'Asia/Tokyo', 'UTC', 'Asia/Tokyo'];
    const { reporting } = await start((response, call) => {
      json(list(['WEB-1'], { timeZone: zones[turn++] }))(response, call);
    });
    expect((await reporting.report(question())).provenance.timeZone).toBe('Asia/Tokyo');
    const { message } = await failureOf(reporting.report(question({ fields: ['status'] })));
    expect(message).toMatch(/returns another time zone with every answer\.$/);
  });

  test('about the past is one about a history that ends then, and to another Dwell one about that instant', async () => {
    const asOf = Date.parse('2026-03-10T10:30:40Z');
    const product = await start(json(list(['WEB-1'])));
    expect((await product.reporting.report(question({ asOf }))).provenance).toMatchObject({
      asOf: Date.parse('2026-03-10T10:30:00Z'),
      trim: { from: null, to: null },
    });
    const end = '2026-03-10 11:30';
    const trimmed = { trimHistoryEndDate: end, endDate: end, dateRangeField: 'created' };
    expect(product.calls[1]?.asked).toMatchObject(trimmed);
    const own = await start(json(list(['WEB-1'], dwell)));
    expect((await own.reporting.report(question({ asOf }))).provenance).toMatchObject({ asOf });
    expect(askedOf([...product.calls, ...own.calls], 'asOf')).toEqual([null, null, null, dwell.asOf]);
    expect(own.calls[1]?.asked).toMatchObject({ dateFormat: 'yyyy-MM-dd' });
  });

  test.each<[string, Partial<ReportRequest>]>([
    ['creditDelegates', { reportType: 'assigneeDuration', creditDelegates: [] }],
    ['consolidatedStatuses', { consolidated: [{ name: 'Active', statuses: ['3'] }] }],
  ])('with %s, which the product would pass over, is refused', async (name, more) => {
    const { reporting } = await start(json(list(['WEB-1'])));
    const failure = await failureOf(reporting.report(question(more)));
    expect(failure).toMatchObject({ reason: 'unknown-parameter', data: { fields: [name] } });
    expect(failure.details[0]).toContain(name);
  });

  test('about an issue that is not there is refused by its field', async () => {
    const { reporting } = await startProduct();
    const selection = { by: 'keys', keys: ['WEB-99'] } as const;
    expect(await failureOf(reporting.report(question({ selection })))).toMatchObject({
      reason: 'unknown-issue',
      fields: { issueKey: "issueKey 'WEB-99' could not be found." },
    });
  });

  test('has the principal in place of currentUser(), unless it is nobody', async () => {
    const { reporting, calls } = await start(json(list(['WEB-1'])));
    const selection = { by: 'jql', jql: 'assignee = currentUser() AND text ~ "currentUser()"' } as const;
    const { provenance } = await reporting.report(question({ selection }));
    expect(calls[1]?.asked.customjql).toBe('assignee = "ada" AND text ~ "currentUser()"');
    expect(provenance.dependsOnPrincipal).toBe(true);
    const stranger = principalOf('U0ZOE', 'stranger');
    expect(await failureOf(reporting.report(question({ selection, principal: stranger })))).toMatchObject({
      reason: 'invalid-query',
      details: [expect.stringContaining('not linked to a Jira user')],
    });
    expect(calls).toHaveLength(2);
  });

  test('that is all in quotes stays as it is', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const jql = JSON.stringify(`currentUser() ${text}`);
        expect(namesPrincipal(jql, 'ada')).toBe(false);
        expect(asPrincipal(jql, 'ada')).toBe(jql);
      }),
    );
  });

  test('with an unknown calendar is refused with those there are', async () => {
    const { reporting } = await startProduct();
    expect(await failureOf(reporting.report(question({ calendar: 'Nights' })))).toMatchObject({
      reason: 'unknown-name',
      details: ["calendar 'Nights' is not known. Try: normalHours, 7 (Office)."],
      fields: { calendar: "calendar 'Nights' is not known. Try: normalHours, 7 (Office)." },
    });
  });

  test('too long for an address is sent as a form', async () => {
    const { service, reporting } = await startProduct();
    const jql = `project = WEB${' OR project = WEB'.repeat(2000)}`;
    const table = await reporting.report(question({ selection: { by: 'jql', jql } }));
    expect(keysOf(table)).toEqual(['WEB-3', 'WEB-2', 'WEB-1']);
    expect(service.calls.some(({ method, asked }) => method === 'POST' && asked.customjql === jql)).toBe(
      true,
    );
  });
});

describe('an answer', () => {
  test('is remembered for a minute for everybody, also as of its instant, unless the query means who asks', async () => {
    const { service, reporting, pass } = await startProduct();
    const bob = principalOf('bob');
    const first = await reporting.report(question());
    const { asOf } = first.provenance;
    const asked = service.calls.length;
    const again = await Promise.all(
      [question({ asOf }), question({ asOf, principal: bob })].map(reporting.report),
    );
    expect(again).toEqual([first, first]);
    expect(service.calls).toHaveLength(asked);
    const own = { selection: { by: 'jql', jql: 'assignee = currentUser()' }, asOf } as const;
    const keys = [question(own), question({ ...own, principal: bob })].map(
      async (request) => (await reporting.report(request)).issues[0]?.key,
    );
    expect(await Promise.all(keys)).toEqual(['WEB-1', 'WEB-2']);
    pass(60_000);
    const before = service.calls.length;
    await reporting.report(question({ asOf }));
    expect(service.calls.length).toBeGreaterThan(before);
  });

  test('in small pages, each with columns of its own, is one list', async () => {
    const { service, reporting } = await startProduct({ pagesOf: 1 });
    const table = await reporting.report(question());
    expect(keysOf(table)).toEqual(['OPS-2', 'OPS-1', 'WEB-3', 'WEB-2', 'WEB-1']);
    const titles = ['Key', 'Summary', 'To Do', 'Doing', 'Review', 'Done'];
    expect(table.columns.map(({ title }) => title)).toEqual(titles);
    expect(table.statuses).toMatchObject({ included: [{ id: '1' }, { id: '3' }, { id: '4' }, { id: '5' }] });
    expect(table.provenance.issues).toBe(5);
    expect(service.paths().filter((path) => path.endsWith('/rest/list2'))).toHaveLength(6);
  });

  describe('of a service that leaves out whether its answer is complete', () => {
    const cut = { complete: false, unknownFrom: null, unknownUntil: '2026-03-09T00:00:00.000Z' };
    /** The same list, of which the first issue has a cut history. */
    const withCut = (keys: readonly string[], more: object = {}) => {
      const answer = list(keys, more);
      const rows = answer.table.body.rows.map((row, i) => (i === 0 ? { ...row, history: cut } : row));
      return { ...answer, table: { ...answer.table, body: { rows } } };
    };
    const keys = ['WEB-1', 'WEB-2'];

    test.each<[string, object, object]>([
      ['nothing is in doubt', list(keys), { complete: true, cutHistories: 0 }],
      ['a history is cut', withCut(keys), { complete: false, cutHistories: 1 }],
      ['histories are counted as cut', list(keys, { cutHistories: 2 }), { complete: false, cutHistories: 2 }],
      ['issues are undecided', list(keys, { undecided: 1 }), { complete: false, undecided: 1 }],
      ['permissions are unknown', list(keys, { unaskedIssues: 3 }), { complete: false, unasked: 3 }],
      [
        'it says so itself',
        withCut(keys, { complete: true, cutHistories: 0 }),
        { complete: true, cutHistories: 0 },
      ],
    ])('%s', async (_what, answer, expected) => {
      const { reporting } = await start(json(answer));
      expect((await reporting.report(question())).provenance).toMatchObject(expected);
    });

    test('of several pages, one of them with a cut history', async () => {
      const { reporting } = await start((response, call) => {
        const isFirst = call.asked.nextPageToken === undefined;
        return json(isFirst ? list(['WEB-1'], { nextPageToken: 'b' }) : withCut(['WEB-2']))(response, call);
      });
      const { provenance } = await reporting.report(question());
      expect(provenance).toMatchObject({ complete: false, cutHistories: 1, issues: 2 });
    });
  });

  test('that repeats its page does not go on for ever', async () => {
    const { reporting } = await start(json(list(['WEB-1'], { nextPageToken: 'again' })));
    const { message } = await failureOf(reporting.report(question()));
    expect(message).toMatch(/returns the same page again and again\.$/);
  });

  test('is what the documents leave open, condensed here, and the aggregation of the service otherwise', async () => {
    const { service, reporting } = await startProduct();
    const paths = async (more: Partial<Statistic>) => {
      const asked = service.calls.length;
      const table = await reporting.report(question({ statistic: { ...sum, ...more } }));
      expect(linesOf(table)).toHaveLength(1);
      return service.paths().slice(asked).at(-1);
    };
    for (const type of ['sum', 'median', 'average'] as const) {
      expect(await paths({ type })).toBe('GET /rest/aggregation');
    }
    expect(await paths({ type: 'percentile' })).toBe('GET /rest/list2');
    expect(await paths({ type: 'standardDeviation' })).toBe('GET /rest/list2');
    expect(await paths({ type: 'average', denominator: 'all' })).toBe('GET /rest/list2');
  });

  test.each([
    ['a list', { mostListed: 30 }, {}],
    ['an aggregation', { mostCondensed: 0 }, { statistic: sum }],
  ])('that takes too long is none: %s', async (_what, options, more) => {
    const { reporting } = await startProduct(options);
    expect(await failureOf(reporting.report(question(more)))).toMatchObject({
      reason: 'service-unavailable',
      message: expect.stringMatching(/gave up after its time \(HTTP 408.*\)\. Ask about fewer issues\.$/),
    });
  });

  test('is asked for once more where the service is out of order for a moment', async () => {
    const { service, reporting } = await startProduct();
    await reporting.report(question());
    service.fail(htmlPage(503, 'Service Unavailable'));
    expect((await reporting.report(question())).issues).toHaveLength(5);
  });

  test('about many issues by key comes by queries, one that has moved by itself', async () => {
    const { reporting, calls } = await start((response, call) =>
      json(list(call.path === '/rest/issue' ? ['NEW-7'] : twelve.slice(1)))(response, call),
    );
    const table = await reporting.report(question({ selection: { by: 'keys', keys: twelve } }));
    expect(keysOf(table)).toEqual([...twelve.slice(1), 'NEW-7']);
    expect(askedOf(calls, 'issueKey')).toEqual([null, null, 'WEB-1']);
  });

  test('about many issues by key says which one is not there, though a tracker refuses a query that names it', async () => {
    const { reporting } = await start((response, call) => {
      const { customjql = '', issueKey = '' } = call.asked;
      const isMissing = customjql.includes('"WEB-7"') || issueKey === 'WEB-7';
      const refused = issueKey === '' ? refusal(400, "An issue with key 'WEB-7' does not exist.") : missing;
      (isMissing ? refused : json(list([issueKey || 'WEB-1'])))(response, call);
    });
    const missing = refusal(404, 'The issue could not be found.');
    const selection = { by: 'keys', keys: twelve } as const;
    expect(await failureOf(reporting.report(question({ selection })))).toMatchObject({
      reason: 'unknown-issue',
      details: ["issueKey 'WEB-7' could not be found."],
    });
  });

  test('of pages by index is refused where the service has none, while issues are still counted', async () => {
    const { reporting } = await start((response, call) =>
      (call.path === '/rest/issues/v2' ? json(list(['WEB-1', 'WEB-2'])) : refusal(410, 'Gone.'))(
        response,
        call,
      ),
    );
    const page = { by: 'index', start: 0, size: 2 } as const;
    expect(await failureOf(reporting.report(question({ page })))).toMatchObject({
      reason: 'unsupported-by-service',
      message: expect.stringContaining('has neither /rest/issues nor /rest/list (HTTP 410: Gone)'),
    });
    expect(await reporting.count(question())).toBe(2);
  });
});

test('an opened list ends with the reason of whoever stops it', async () => {
  const { reporting } = await start(json(list(['WEB-1'])));
  const stop = new AbortController();
  const { lines } = await reporting.open(question(), [], { signal: stop.signal });
  stop.abort(new Error('no more'));
  await expect(lines()[Symbol.asyncIterator]().next()).rejects.toThrow('no more');
});

describe('the contents of an answer', () => {
  const closed: Readonly<Record<string, readonly string[]>> = {
    security: ['WEB-1', 'WEB-2'],
    issuerestriction: ['WEB-2', 'WEB-3'],
  };
  const telling =
    (has: readonly string[], more: object): TisAnswer =>
    (response, call) => {
      const asked = (call.asked.fields ?? '').split(',').filter((id) => id in closed);
      if (asked.some((id) => !has.includes(id))) return refusal(400, 'No such field.')(response, call);
      const { table, ...rest } = list(['WEB-1', 'WEB-2', 'WEB-3', 'OPS-4'], more);
      const rows = table.body.rows.map((row) => {
        const key = row.headerColumns[0]?.value ?? '';
        const fieldColumns = asked.map((id) => ({ id, value: closed[id]?.includes(key) ? 'some' : '-' }));
        return { ...row, fieldColumns };
      });
      const header = { ...table.header, fieldColumns: asked.map((id) => ({ id, value: id })) };
      json({ ...rest, table: { header, body: { rows } } })(response, call);
    };
  const contents = async (more: object, ...has: string[]) =>
    (await start(telling(has, more))).reporting.audienceScope(question());
  const four = { projects: ['OPS', 'WEB'], issues: 4 };

  test('has what is closed where another Dwell answers, by the fields that its issues have', async () => {
    const both = await contents(dwell, 'security', 'issuerestriction');
    expect(both).toEqual({ ...four, withLevel: 3, withRoles: 2 });
    expect(await contents(dwell, 'issuerestriction')).toEqual({ ...four, withLevel: 2, withRoles: 2 });
    expect(await contents(dwell)).toEqual({ ...four, withLevel: 0 });
  });

  test('has no levels of the product', async () => {
    expect(await contents({}, 'security')).toEqual({ ...four, withLevel: null });
  });
});

describe.each(['iso', 'instance format'] as const)('calendars with holidays in %s', (holidays) => {
  test.each(['reportSettings', 'parameterSets'] as const)(
    'and sets at %s are read',
    async (parameterSets) => {
      const { client } = await startProduct({ holidays, parameterSets });
      const settings = createHostedSettings(client, { clientKey: async () => 'key' }, async () => new Map());
      expect(await settings.calendars(ada)).toMatchObject([
        { id: null, name: 'normalHours' },
        caseWorld.calendar,
      ]);
      expect(await settings.calendar(ada, 7)).toMatchObject({ name: 'Office' });
      expect(await settings.parameterSets(ada)).toMatchObject([{ ownerId: 'ada', public: true }]);
      expect(await settings.formats()).toEqual(formats);
    },
  );
});
