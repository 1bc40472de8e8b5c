import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '#jest';
import { jiraIssue, movesTo, searchResult } from '../../support/jira-export.ts';
import { startDwell, type TestDwell } from '../../support/start-dwell.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let dwell: TestDwell;
const start = async () => {
  dwell = await startDwell({ environment: { TRACKER: 'file' } });
};
const stop = () => dwell.stop();

const issue = (key: string) =>
  jiraIssue(key)
    .at('2026-03-03T09:00:00Z', movesTo('In Progress'))
    .at('2026-03-04T09:00:00Z', movesTo('Done'))
    .onCloud();
const [one, two] = [issue('ONE-1'), issue('ONE-2')];
const json = (value: unknown) => Buffer.from(JSON.stringify(value));
const lines = (...values: readonly unknown[]) =>
  Buffer.from(values.map((value) => JSON.stringify(value)).join('\n'));
const utf16 = (text: string) => Buffer.from(text, 'utf16le');

/** Imports a file with these bytes and returns what the command says of issues and of the file, and its exit code. */
async function imported(bytes: Buffer, name = 'export.json') {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, bytes);
  const { lines: printed, code } = await dwell.types('import', path);
  const [issues = '', changes = ''] = printed.map((line) => line.split(/\s+/)[1]);
  return {
    code,
    issues: Number(issues),
    changes: Number(changes),
    problems: printed.flatMap((line) => (line.startsWith('  ') ? [line.replace(`  ${path}  `, '')] : [])),
  };
}

/** Whether the store has anything of an issue. */
const isHere = async (issueKey: string) =>
  (await dwell.as('ada', { admin: true }).get('/rest/issue', { issueKey, columnsBy: 'statusDuration' }))
    .status === 200;

describe('an import takes', () => {
  beforeEach(start);
  afterEach(stop);

  const { id, key, fields, changelog } = one;
  test.each<readonly [string, Buffer, number]>([
    ['one issue as GET /issue returns it', json(one), 1],
    ['one with its histories first, as sorted members are', json({ changelog, fields, id, key }), 1],
    ['one with titles of fields', json({ names: { customfield_1: 'Team' }, ...one }), 1],
    ['JSON lines, one issue each', lines(one, two), 2],
    [
      'JSON lines with a line break of Windows, and an empty one',
      Buffer.from(`${json(one)}\r\n\r\n${json(two)}\r\n`),
      2,
    ],
    ['lines of pages and of issues', lines(searchResult(one), two), 2],
    [
      'indented issues one after another',
      Buffer.from([one, two].map((value) => JSON.stringify(value, null, 2)).join('\n')),
      2,
    ],
    ['UTF-16 with its mark', utf16(`\ufeff${json(one)}`), 1],
    ['UTF-16 without its mark', utf16(json([one, two]).toString()), 2],
    ['big-endian UTF-16', utf16(`\ufeff${json(one)}`).swap16(), 1],
    ['gzipped UTF-16 lines', gzipSync(utf16(`\ufeff${lines(one, two)}`)), 2],
    ['a text with a mark of UTF-8', Buffer.from(`\ufeff${lines(one, two)}`), 2],
  ])('%s', async (_what, bytes, issues) => {
    expect(await imported(bytes)).toEqual({ code: 0, issues, changes: 2 * issues, problems: [] });
    expect([await isHere('ONE-1'), await isHere('ONE-2')]).toEqual([true, issues === 2]);
  });

  test('titles of fields that came with one issue', async () => {
    const told = {
      ...one,
      names: { customfield_7: 'Team' },
      fields: { ...one.fields, customfield_7: 'Tea' },
    };
    await imported(json(told));
    const { json: answer } = await dwell.get('/rest/issue', {
      issueKey: 'ONE-1',
      columnsBy: 'statusDuration',
      fields: 'Team',
    });
    expect(answer.table.header.fieldColumns).toMatchObject([{ value: 'Team' }]);
  });

  test('a status by itself, which says its category, and deletes no other', async () => {
    const status = (id: string, name: string) => ({ id, name, statusCategory: { key: 'done' } });
    await imported(json(one));
    await imported(json([status('9', 'In Review'), status('70', 'Released')]), 'statuses.json');
    expect((await imported(json(status('71', 'Shipped')), 'statuses.json')).code).toBe(0);
    const names = (await dwell.as('ada', { admin: true }).get('/rest/statuses')).json.map(
      ({ name }: { name: string }) => name,
    );
    expect(names).toEqual(expect.arrayContaining(['In Review', 'Released', 'Shipped']));
  });
});

const search = 'GET /rest/api/3/search/jql?jql=project=WEB&fields=*all&expand=changelog';
const single = 'GET /rest/api/3/issue/WEB-1?expand=changelog';
const entry = {
  id: '1',
  created: '2026-03-03T09:00:00.000+0000',
  items: [{ field: 'status', from: '3', to: '5' }],
};
const tar = Buffer.concat([Buffer.from('issues.json'.padEnd(257, '\0')), Buffer.from('ustar')]);

describe('an import says what a file is, and what to export instead:', () => {
  // Nothing is taken of any file but the last one.
  beforeAll(start);
  afterAll(stop);

  test.each<readonly [string, string, string, Buffer]>([
    ['this is CSV', search, 'export.csv', Buffer.from('Summary,Issue key,Status\nOne,ONE-1,Done\n')],
    ['this is CSV', search, 'export.csv', Buffer.from('\ufeff"Summary";"Issue key"\r\n"One";"ONE-1"\r\n')],
    ['this is CSV', search, 'export.csv.gz', gzipSync('Issue key\tStatus\nONE-1\tDone\n')],
    ['this is CSV', search, 'export.csv', utf16('\ufeffIssue key\tStatus\nONE-1\tDone\n')],
    ['this is XML', search, 'export.xml', Buffer.from('<?xml version="1.0"?><rss version="0.92"></rss>')],
    [
      'this is a web page',
      search,
      'export.json',
      Buffer.from('\n<!DOCTYPE html><html><title>Log in</title></html>'),
    ],
    ['this is a web page', search, 'export.xls', Buffer.from('<html xmlns:o="urn:x"><table></table></html>')],
    ['this is a ZIP archive', 'Unpack it', 'export.json.zip', Buffer.from('PK\x03\x04')],
    ['this is a tar archive', 'Unpack it', 'export.tgz', gzipSync(tar)],
    ['this is a zstd archive', 'Unpack it', 'export.zst', Buffer.from('28b52ffd00', 'hex')],
    ['this is an Excel workbook', search, 'export.xlsx', Buffer.from('PK\x03\x04\0\0[Content_Types].xml')],
    ['this is an Excel or Word file', search, 'export.xls', Buffer.from('d0cf11e0a1b11ae1', 'hex')],
    ['this is a PDF', search, 'export.pdf', Buffer.from('%PDF-1.7\n')],
    [
      'this is an error of Jira: "No, API gone".',
      search,
      'err.json',
      json({ errorMessages: ['No, API gone'], errors: {} }),
    ],
    [
      'this is an error of Jira: "\'x\' is no field".',
      search,
      'err.json',
      json({ errorMessages: [], errors: { jql: "'x' is no field" } }),
    ],
    [
      'this is an error of Jira: "Unauthorized".',
      search,
      'err.json',
      json({ code: 401, message: 'Unauthorized' }),
    ],
    [
      'these are changelog entries',
      single,
      'values.json',
      json({ total: 2, values: [entry, { ...entry, id: '2' }] }),
    ],
    ['these are changelog entries', single, 'changelog.json', json({ histories: [entry] })],
    [
      'this is a webhook',
      single,
      'hook.jsonl',
      lines(...[one, two].map((issue) => ({ webhookEvent: 'jira:issue_updated', issue }))),
    ],
    [
      "this JSON has no issues as Jira's REST API returns them",
      search,
      'records.jsonl',
      lines({ type: 'RECORD', record: { data: one } }),
    ],
  ])('%s (%s) in %s', async (what, instead, name, bytes) => {
    const { problems, ...counts } = await imported(bytes, name);
    expect(counts).toEqual({ code: 1, issues: 0, changes: 0 });
    expect(problems).toHaveLength(1);
    expect(problems[0]?.slice(0, what.length)).toBe(what);
    expect(problems[0]).toContain(instead);
    expect(await isHere('ONE-1')).toBe(false);
  });

  test.each<readonly [string, Buffer, string]>([
    ['an empty file', Buffer.alloc(0), 'the file is empty'],
    ['blank lines', Buffer.from('\n \n'), 'the file is empty'],
    ['a mark alone', Buffer.from('fffe', 'hex'), 'the file is empty'],
    ['half an issue', json(one).subarray(0, 900), 'the file ends inside the entry that starts at byte 0'],
    ['half a gzip', gzipSync(json(one)).subarray(0, -20), 'the file is damaged gzip: unexpected end of file'],
  ])('%s', async (_what, bytes, problem) => {
    expect(await imported(bytes)).toEqual({ code: 1, issues: 0, changes: 0, problems: [problem] });
    expect(await isHere('ONE-1')).toBe(false);
  });

  test('lines before one that breaks off are taken, whole', async () => {
    const cut = Buffer.concat([lines(one), Buffer.from('\n'), json(two).subarray(0, 900)]);
    expect(await imported(cut)).toEqual({
      ...{ code: 1, issues: 1, changes: 2 },
      problems: [expect.stringMatching(/^the file ends inside the entry that starts at byte \d+$/)],
    });
    expect([await isHere('ONE-1'), await isHere('ONE-2')]).toEqual([true, false]);
  });
});
