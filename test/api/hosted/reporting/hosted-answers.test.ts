import { millisecondsInHour } from 'date-fns/constants';
import fc from 'fast-check';
import { describe, expect, test } from '#jest';
import { asPrincipal, dependsOnPrincipal } from '../../../../src/api/hosted/reporting/as-principal.ts';
import { createHostedReporting } from '../../../../src/api/hosted/reporting/create-hosted-reporting.ts';
import { ask, type ReportRequest } from '../../../../src/model/request.ts';
import { principalOf } from '../../../support/principal-of.ts';
import { failureOf } from '../start-hosted.ts';
import { json, page, refusal, startTis, type TisAnswer, type TisCall, tisNow } from './start-tis.ts';

const principal = principalOf('ada');
const question = (more: Partial<ReportRequest> = {}) =>
  ask({ principal, reportType: 'statusDuration', selection: { by: 'jql', jql: 'project = WEB' }, ...more });

const outer = {
  dateFormat: 'dd/MMM/yy',
  dateTimeFormat: 'dd/MMM/yy h:mm a',
  timeZone: 'Europe/Berlin',
  locale: 'en_US',
  reportDate: '18/Mar/26 1:00 PM',
  calendar: { id: null, name: 'normalHours', timeZone: 'UTC', dailyWorkingHours: 24, is7x24Calendar: true },
};

/** A list of the product with these keys, each an hour in Doing. */
const list = (keys: readonly string[], more: object = {}) => ({
  ...outer,
  ...more,
  table: {
    header: {
      headerColumns: [
        { id: 'issuekey', value: 'Key' },
        { id: 'summary', value: 'Summary' },
      ],
      groupByColumns: [],
      fieldColumns: [{ id: 'created', value: 'Created' }],
      valueColumns: [{ id: '3', value: 'Doing', isConsolidated: false }],
    },
    body: {
      rows: keys.map((key) => ({
        headerColumns: [
          { id: 'issuekey', value: key },
          { id: 'summary', value: 'Paint the door' },
        ],
        groupByColumns: [],
        fieldColumns: [{ id: 'created', value: '05/Mar/26 9:20 AM' }],
        valueColumns: [{ id: '3', value: '3600', raw: String(millisecondsInHour), count: '1' }],
        currentState: [],
      })),
    },
  },
});

async function start(answer: TisAnswer) {
  const service = await startTis(answer);
  const reporting = createHostedReporting(service.client, { now: () => tisNow, timeZone: 'UTC' });
  return { ...service, reporting };
}

const askedOf = (calls: readonly TisCall[], name: string) => calls.map(({ asked }) => asked[name] ?? null);

describe('dates', () => {
  test('are told anew on the clocks the answer shows', async () => {
    const { reporting, calls } = await start(json(list(['WEB-1'])));
    const from = Date.parse('2026-03-01T00:00:00Z');
    const table = await reporting.report(question({ trim: { from, to: null } }));
    expect(askedOf(calls, 'trimHistoryStartDate')).toEqual(['2026-03-01 00:00', '2026-03-01 01:00']);
    expect(table.provenance).toMatchObject({ trim: { from, to: null }, timeZone: 'Europe/Berlin' });
    expect(await reporting.timeZoneOf(principal)).toBe('Europe/Berlin');
  });

  test('that no answer agrees about end in a failure', async () => {
    let turn = 0;
    const { reporting } = await start((response, call) => {
      turn += 1;
      json(list([], { timeZone: turn % 2 === 0 ? 'UTC' : 'Asia/Tokyo' }))(response, call);
    });
    const trim = { from: tisNow - millisecondsInHour, to: null };
    const { message } = await failureOf(reporting.report(question({ trim })));
    expect(message).toMatch(/tells another time zone with every answer\.$/);
  });

  test('of issues come back, whatever the patterns are, and are no column unless asked for', async () => {
    const { reporting } = await start(json(list(['WEB-1'])));
    const hidden = await reporting.report(question());
    expect(hidden.issues).toMatchObject([{ key: 'WEB-1', created: Date.parse('2026-03-05T08:20:00Z') }]);
    expect(hidden.columns.map(({ id }) => id)).toEqual(['issuekey', 'summary', '3']);
    const shown = await reporting.report(question({ fields: ['created'] }));
    expect(shown.columns).toContainEqual({ id: 'created', title: 'Created', kind: 'instant', part: 'field' });
  });
});

describe('an instant of the past', () => {
  const asOf = Date.parse('2026-03-10T10:30:40Z');
  const minute = Date.parse('2026-03-10T10:30:00Z');

  test('is not asked of a service that does not know it, but becomes the end of the history, and is told as that minute', async () => {
    const { reporting, calls } = await start(json(list(['WEB-1'])));
    const { provenance } = await reporting.report(question({ asOf }));
    expect(calls.at(-1)?.asked).toMatchObject({
      trimHistoryEndDate: '2026-03-10 11:30',
      endDate: '2026-03-10 11:30',
      dateRangeField: 'created',
    });
    expect(provenance).toMatchObject({ asOf: minute, trim: { from: null, to: null } });
    await reporting.report(question({ asOf }));
    expect(askedOf(calls, 'asOf').every((one) => one === null)).toBe(true);
  });

  test('is asked of one of our own as soon as it is known to be one', async () => {
    const own = { asOf: '2026-03-10T10:30:40.000Z', askedAt: '2026-03-18T12:00:00.000Z', complete: true };
    const { reporting, calls } = await start(json(list(['WEB-1'], own)));
    expect((await reporting.report(question({ asOf }))).provenance).toMatchObject({ asOf });
    await reporting.report(question({ asOf, fields: ['status'] }));
    expect(askedOf(calls, 'asOf')).toEqual([null, '2026-03-10T10:30:40.000Z', '2026-03-10T10:30:40.000Z']);
    expect(askedOf(calls, 'dateFormat')).toEqual([null, 'yyyy-MM-dd', 'yyyy-MM-dd']);
  });
});

describe('what the product would pass over', () => {
  test.each<[string, Partial<ReportRequest>]>([
    ['creditDelegates', { reportType: 'assigneeDuration', creditDelegates: [] }],
    ['consolidatedStatuses', { consolidated: [{ name: 'Active', statuses: ['3'] }] }],
  ])('%s is refused in place of an answer to another question', async (name, more) => {
    const { reporting } = await start(json(list(['WEB-1'])));
    const failure = await failureOf(reporting.report(question(more)));
    expect(failure).toMatchObject({ code: 'bad-request' });
    expect(failure.details[0]).toContain(name);
  });
});

describe('visits told by one date', () => {
  const visits = (rows: readonly (readonly [string, number])[]) => {
    const whole = list(['WEB-1']);
    const [row] = whole.table.body.rows;
    const told = rows.map(([uniqueDate, hours]) => ({
      uniqueDate,
      statusId: 3,
      value: hours * millisecondsInHour,
    }));
    const body = { rows: [{ ...row, expanded: { stats: {}, rows: told } }] };
    return json({
      ...whole,
      includedStatuses: [{ id: '3', name: 'Doing' }],
      table: { ...whole.table, body },
    });
  };
  const spans = async (answer: TisAnswer) => {
    const { reporting } = await start(answer);
    const selection = { by: 'keys', keys: ['WEB-1'] } as const;
    const { rows } = await reporting.report(question({ reportType: 'statusDurationExpanded', selection }));
    return rows.map(({ cells }) => [cells.start, cells.end].map((cell) => Number(cell?.value ?? 0)));
  };
  const at = (time: string) => Date.parse(`2026-03-${time}:00+01:00`);

  test('are read from their beginnings where these and their times make the next ones', async () => {
    const answer = visits([
      ['16/Mar/26 9:00 AM', 4],
      ['16/Mar/26 1:00 PM', 24],
      ['17/Mar/26 1:00 PM', 24],
    ]);
    expect(await spans(answer)).toEqual([
      [at('16T09:00'), at('16T13:00')],
      [at('16T13:00'), at('17T13:00')],
      [at('17T13:00'), 0],
    ]);
  });

  test('are read from their ends where the times before make these', async () => {
    const answer = visits([
      ['16/Mar/26 1:00 PM', 4],
      ['17/Mar/26 1:00 PM', 24],
      ['18/Mar/26 1:00 PM', 24],
    ]);
    expect(await spans(answer)).toEqual([
      [at('16T09:00'), at('16T13:00')],
      [at('16T13:00'), at('17T13:00')],
      [at('17T13:00'), 0],
    ]);
  });
});

describe('pages by index', () => {
  const all = Array.from({ length: 7 }, (_, i) => `WEB-${i + 1}`);

  test('are those before skipped where the service has none', async () => {
    const { reporting } = await start((response, call) => {
      if (call.path === '/rest/issues/v2') return json(list(all))(response, call);
      return page(404)(response, call);
    });
    const table = await reporting.report(question({ page: { by: 'index', start: 5, size: 3 } }));
    expect(table.issues.map(({ key }) => key)).toEqual(['WEB-6', 'WEB-7']);
    expect(table.page).toEqual({ start: 5, end: 7, size: 3, total: 7, next: null });
  });
});

describe('a long list that is opened', () => {
  const pages: TisAnswer = (response, call) => {
    if (call.path === '/rest/issues/aggregation') {
      const { table, ...beside } = list([]);
      const valueColumns = [
        ...table.header.valueColumns,
        { id: '4', value: 'Review', isConsolidated: false },
      ];
      const row = {
        issueCount: 3,
        valueColumns: [
          { id: '3', value: '10800', raw: String(3 * millisecondsInHour) },
          { id: '4', value: '7200', raw: String(2 * millisecondsInHour) },
        ],
      };
      const header = { valueColumns };
      return json({ ...beside, table: { header, body: { rows: [row] } } })(response, call);
    }
    const number = Number(call.asked.nextPageToken ?? 1);
    const next = number < 3 ? { nextPageToken: String(number + 1) } : {};
    return json(list([`WEB-${number}`], next))(response, call);
  };
  const sum = { type: 'sum', denominator: 'nonNull', deviation: 'population', percentile: 85 } as const;

  test('has the columns of all its issues before more than one page is read', async () => {
    const { reporting, paths } = await start(pages);
    const told: (readonly [number, number])[] = [];
    const onProgress = (done: number, total: number) => void told.push([done, total]);
    const { list: head, statistics, lines } = await reporting.open(question(), [sum], { onProgress });
    expect(paths()).toEqual(['GET /rest/issues/v2', 'GET /rest/issues/aggregation']);
    expect(head.columns.map(({ id }) => id)).toEqual(['issuekey', 'summary', '3', '4']);
    expect(head.provenance.issues).toBe(3);
    expect(statistics).toMatchObject([
      { rows: [{ issueCount: 3, cells: { 3: { value: 3 * millisecondsInHour } } }] },
    ]);
    const keys: string[] = [];
    for await (const part of lines()) keys.push(...part.map(({ facts }) => facts.key));
    expect(keys).toEqual(['WEB-1', 'WEB-2', 'WEB-3']);
    expect(told).toEqual([
      [1, 3],
      [2, 3],
      [3, 3],
    ]);
  });

  test('is read beforehand where an aggregation does not come in time', async () => {
    const { reporting } = await start((response, call) =>
      (call.path === '/rest/issues/aggregation' ? refusal(408, 'Too long.') : pages)(response, call),
    );
    const { list: head, statistics } = await reporting.open(question(), [sum]);
    expect(head.provenance.issues).toBe(3);
    expect(statistics).toMatchObject([
      { rows: [{ issueCount: 3, cells: { 3: { value: 3 * millisecondsInHour } } }] },
    ]);
  });

  test('ends with the reason of whoever stops it', async () => {
    const { reporting } = await start(pages);
    const stop = new AbortController();
    const { lines } = await reporting.open(question(), [], { signal: stop.signal });
    stop.abort(new Error('no more'));
    await expect(lines()[Symbol.asyncIterator]().next()).rejects.toThrow('no more');
  });
});

describe('contents', () => {
  test('are told without levels where the service knows none', async () => {
    const { reporting } = await start(json(list(['WEB-1'])));
    expect(await reporting.contents(question())).toEqual({ projects: ['WEB'], issues: 1, withLevel: null });
  });

  test('count what is restricted to roles beside what has a level, by the fields that it has', async () => {
    const closed: Readonly<Record<string, readonly string[]>> = {
      security: ['WEB-1', 'WEB-2'],
      issuerestriction: ['WEB-2', 'WEB-3'],
    };
    const telling =
      (has: readonly string[]): TisAnswer =>
      (response, call) => {
        const asked = (call.asked.fields ?? '').split(',').filter((id) => id in closed);
        if (asked.some((id) => !has.includes(id))) return refusal(400, 'No such field.')(response, call);
        const { table, ...rest } = list(['WEB-1', 'WEB-2', 'WEB-3', 'WEB-4'], {
          askedAt: '2026-03-18T12:00:00.000Z',
        });
        const rows = table.body.rows.map((row) => {
          const key = row.headerColumns[0]?.value ?? '';
          const cells = asked.map((id) => ({ id, value: closed[id]?.includes(key) ? 'some' : '-' }));
          return { ...row, fieldColumns: cells };
        });
        const header = { ...table.header, fieldColumns: asked.map((id) => ({ id, value: id })) };
        json({ ...rest, table: { header, body: { rows } } })(response, call);
      };
    const contents = async (...has: string[]) => (await start(telling(has))).reporting.contents(question());
    const four = { projects: ['WEB'], issues: 4 };
    expect(await contents('security', 'issuerestriction')).toEqual({ ...four, withLevel: 3, withRoles: 2 });
    expect(await contents('issuerestriction')).toEqual({ ...four, withLevel: 2, withRoles: 2 });
    expect(await contents('security')).toEqual({ ...four, withLevel: 2 });
    expect(await contents()).toEqual({ ...four, withLevel: 0 });
  });

  test('are told without levels where it refuses the field, unless it is one of ours', async () => {
    const own = { askedAt: '2026-03-18T12:00:00.000Z' };
    const refusing =
      (more: object): TisAnswer =>
      (response, call) =>
        call.asked.fields?.includes('security')
          ? refusal(400, 'No such field.')(response, call)
          : json(list(['WEB-1', 'OPS-2'], more))(response, call);
    const product = await start(refusing({}));
    expect(await product.reporting.contents(question())).toMatchObject({ issues: 2, withLevel: null });
    const ours = await start(refusing(own));
    expect(await ours.reporting.contents(question())).toEqual({
      projects: ['OPS', 'WEB'],
      issues: 2,
      withLevel: 0,
    });
  });
});

describe('who asks', () => {
  test('stands in the query in place of the user of the token', async () => {
    const { reporting, calls } = await start(json(list(['WEB-1'])));
    const selection = { by: 'jql', jql: 'assignee = currentUser() AND text ~ "currentUser()"' } as const;
    const { provenance } = await reporting.report(question({ selection }));
    expect(calls[0]?.asked.customjql).toBe('assignee = "ada" AND text ~ "currentUser()"');
    expect(provenance.dependsOnPrincipal).toBe(true);
  });

  test('changes nothing of a query that is all in quotes', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const jql = JSON.stringify(`currentUser() ${text}`);
        expect(dependsOnPrincipal(jql, 'ada')).toBe(false);
        expect(asPrincipal(jql, 'ada')).toBe(jql);
      }),
    );
  });
});
