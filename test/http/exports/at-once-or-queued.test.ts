import { afterEach, describe, expect, test } from '#jest';
import { AppError } from '../../../src/model/error.ts';
import type { ExportInput } from '../../../src/model/export.ts';
import { ask } from '../../../src/model/request.ts';
import { aProvenance } from '../../support/a-provenance.ts';
import { anExport, aWish } from '../../support/an-export.ts';
import { principalOf } from '../../support/principal-of.ts';
import { aFile } from './a-file.ts';
import { restDoor } from './rest-door.ts';

const question = {
  filterType: 'project',
  projectKey: 'WEB',
  columnsBy: 'statusDuration',
  outputType: 'xlsx',
};

const ID = '0b0e3c1e-0000-4000-8000-000000000001';

let door: Awaited<ReturnType<typeof restDoor>>;
afterEach(() => door.close());

/** Sends a question to a door whose filter matches so many issues; the wishes that were queued and made at once. */
async function asked(path: string, more: Record<string, string>, count = 1) {
  const [queued, made]: [ExportInput[], ExportInput[]] = [[], []];
  door = await restDoor({
    count: async () => count,
    async queue(wish) {
      queued.push(wish);
      return anExport(ID, { input: wish });
    },
    async now(wish) {
      made.push(wish);
      return { ...aFile('the file'), close: async () => {} };
    },
  });
  const answer = await fetch(`${door.url}${path}`, {
    method: 'POST',
    headers: door.headers,
    body: new URLSearchParams({ ...question, ...more }),
  });
  const text = await answer.text();
  const json = answer.headers.get('content-type')?.includes('json') ? JSON.parse(text) : null;
  return { status: answer.status, text, json, queued, made };
}

describe('whether a file is answered or queued', () => {
  test.each([
    ['/rest/export/status', 0, {}, 'file'],
    ['/rest/export/status', 20_000, {}, 'file'],
    ['/rest/export/status', 20_001, {}, 'queued'],
    ['/rest/export/status', 1, { async: 'true' }, 'queued'],
    ['/rest/export/status', 500_000, { async: 'FALSE' }, 'file'],
    ['/rest/export', 1, {}, 'queued'],
    ['/rest/smallexport', 500_000, {}, 'file'],
  ])('%s over %d issues with %j: %s', async (path, count, more, what) => {
    const { status, text, json, queued, made } = await asked(path, more, count);
    expect([status, queued.length, made.length]).toEqual(what === 'file' ? [200, 0, 1] : [200, 1, 0]);
    if (what === 'file') return expect(text).toBe('the file');
    expect(json).toEqual({
      exportId: ID,
      statusLink: `${door.baseUrl}/rest/export/${ID}`,
    });
  });
});

describe('the wish', () => {
  test('is what was asked, without statistic and page, its formats those that are set', async () => {
    const { queued } = await asked('/rest/export', {});
    expect(queued).toEqual([
      {
        principalName: null,
        type: 'XLSX',
        request: ask({
          principal: principalOf('ada'),
          reportType: 'statusDuration',
          selection: { by: 'project', project: 'WEB' },
        }),
        unit: 'minutes',
        dayLength: '24HourDays',
        formats: { dateFormat: 'dd/MMM/yy', dateTimeFormat: 'dd/MMM/yy h:mm a' },
        denominator: 'nonNull',
        deviation: 'population',
        byteOrderMark: false,
        withProvenance: false,
      },
    ]);
  });

  test('holds every choice about the file', async () => {
    const { queued } = await asked('/rest/export', {
      outputType: 'csvStdDev',
      viewFormat: 'hours',
      dayLength: 'businessDays',
      dateFormat: 'yyyy-MM-dd',
      averageDenominator: 'all',
      stddevType: 'sample',
      byteOrderMark: 'true',
      withProvenance: 'true',
    });
    expect(queued).toEqual([
      expect.objectContaining({
        type: 'CSVSTDDEV',
        unit: 'hours',
        dayLength: 'businessDays',
        formats: { dateFormat: 'yyyy-MM-dd', dateTimeFormat: 'dd/MMM/yy h:mm a' },
        denominator: 'all',
        deviation: 'sample',
        byteOrderMark: true,
        withProvenance: true,
      }),
    ]);
  });
});

describe('a byte order mark is for CSV', () => {
  test.each(['XLSX', 'XLS', 'JSON'])(
    '%s refuses it, and takes the word for provenance',
    async (outputType) => {
      const { status, json } = await asked('/rest/export', { outputType, byteOrderMark: 'true' });
      expect([status, json.messages]).toEqual([
        400,
        [
          `byteOrderMark 'true' cannot be used with outputType ${outputType}. Try: CSV, CSVAVERAGE, CSVSUM, CSVMEDIAN, CSVSTDDEV.`,
        ],
      ]);
      await door.close();
      const more = { outputType, byteOrderMark: 'false', withProvenance: 'true' };
      expect((await asked('/rest/export', more)).status).toBe(200);
    },
  );
});

test('one export too many is 429 with the way out', async () => {
  door = await restDoor({
    queue: async () => {
      throw new AppError('too-many-exports', 'Too many exports', ['Wait, or abort one.']);
    },
  });
  const answer = await door.ask(`/rest/export?${new URLSearchParams(question)}`, 'POST');
  expect([answer.status, await answer.json()]).toEqual([
    429,
    {
      status: 429,
      message: 'Too many exports',
      messages: ['Wait, or abort one.'],
      reason: expect.any(String),
      pluginVersion: '1.2.3',
      time: '2026-03-18 12:00:00',
    },
  ]);
});

test('a failure on the path of an export names it, and nothing more', async () => {
  door = await restDoor({
    get: async () => {
      throw new AppError(
        'unknown-issue',
        'The export could not be found or you do not have permission to view it.',
      );
    },
  });
  const answer = await door.ask('/rest/export/any%20id');
  expect([answer.status, await answer.json()]).toEqual([
    404,
    {
      status: 404,
      message: 'The export could not be found or you do not have permission to view it.',
      messages: null,
      reason: expect.any(String),
      pluginVersion: '1.2.3',
      time: '2026-03-18 12:00:00',
      exportId: 'any id',
    },
  ]);
});

describe('an export on the wire', () => {
  const wish = aWish({}, { type: 'XLSX' });

  test('has the members of the live product first, and its link once there is a file', async () => {
    const end = {
      finishedAt: 1_767_600_001_000,
      expiresAt: 1_767_686_401_000,
      bytes: 5,
      createdAt: 1_767_600_000_000,
      fileName: 'dwell.xlsx',
    };
    const provenance = aProvenance({ complete: false, cutHistories: 2, undecided: 1 });
    door = await restDoor({
      get: async () =>
        anExport(ID, { input: wish, state: 'Successful', completed: 12, total: 12, provenance, ...end }),
      ticket: async ({ id }) => `ticket of ${id}&`,
    });
    const answer = await door.ask(`/rest/export/${ID}`);
    expect(await answer.text()).toBe(
      JSON.stringify({
        exportId: ID,
        status: 'Successful',
        created: 1_767_600_000_000,
        completed: 12,
        total: 12,
        message: null,
        downloadLink: `${door.baseUrl}/rest/export/download?ticket=ticket%20of%20${ID}%26`,
        outputType: 'XLSX',
        columnsBy: 'statusDuration',
        filter: '',
        fileName: 'dwell.xlsx',
        bytes: 5,
        complete: false,
        cutHistories: 2,
        undecided: 1,
        finished: 1_767_600_001_000,
        expires: 1_767_686_401_000,
      }),
    );
  });

  test.each(['Queued', 'Running', 'Failed', 'Aborted', 'Expired'] as const)(
    '%s has no link',
    async (state) => {
      door = await restDoor({ get: async () => anExport(ID, { input: wish, state, message: 'why' }) });
      const answer = await door.ask(`/rest/export/status/${ID}`);
      expect(await answer.json()).toMatchObject({ status: state, message: 'why', downloadLink: null });
    },
  );
});
