import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from '#jest';
import { createFileTracker } from '../../../src/trackers/file/create-file-tracker.ts';
import type { FileProgress } from '../../../src/trackers/file/read-bytes.ts';
import type { TrackerEntry } from '../../../src/trackers/tracker.ts';
import { fixture } from '../../support/fixture.ts';
import { exportFile, jiraIssue, searchResult } from '../../support/jira-export.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const one = jiraIssue('DEMO-1').onCloud();
const two = jiraIssue('DEMO-2').onDataCenter();

async function entriesOf(...files: string[]): Promise<TrackerEntry[]> {
  const entries: TrackerEntry[] = [];
  for await (const entry of createFileTracker(files).entries()) entries.push(entry);
  return entries;
}

const keysIn = (entries: readonly TrackerEntry[]) =>
  entries.flatMap((entry) => (entry.kind === 'issue' ? [entry.issue.key] : []));
const rejectedIn = (entries: readonly TrackerEntry[]) =>
  entries.flatMap((entry) => (entry.kind === 'rejected' ? [{ key: entry.key, reason: entry.reason }] : []));
const unreadableIn = (entries: readonly TrackerEntry[]) =>
  entries.flatMap((entry) => (entry.kind === 'unreadable' ? [entry.reason] : []));
const listsIn = (entries: readonly TrackerEntry[]) =>
  entries.flatMap((entry) =>
    entry.kind === 'statuses' && entry.list !== null
      ? [{ list: entry.list, ids: entry.statuses.map(({ id }) => id) }]
      : [],
  );

/** The file’s name among others of its folder, with any bytes. */
function bytesFile(bytes: Uint8Array, name = 'issues.json.gz'): string {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, bytes);
  return path;
}

describe('the file tracker reads', () => {
  test.each([
    ['a search result', exportFile(searchResult(one, two))],
    ['a gzipped one', exportFile(searchResult(one, two), 'issues.json.gz')],
    ['a gzipped one under another name', bytesFile(gzipSync(JSON.stringify([one, two])), 'issues.json')],
    [
      'gzip in several members',
      bytesFile(
        Buffer.concat([searchResult(one), searchResult(two)].map((page) => gzipSync(JSON.stringify(page)))),
      ),
    ],
    ['a bare list', exportFile([one, two])],
    [
      'answers one after another',
      exportFile([searchResult(one), searchResult(two)].map((page) => JSON.stringify(page)).join('\n')),
    ],
    ['a list of answers', exportFile([searchResult(one), searchResult(two)])],
  ])('%s', async (_, file) => {
    const entries = await entriesOf(file);
    expect(keysIn(entries)).toEqual(['DEMO-1', 'DEMO-2']);
    expect(rejectedIn(entries)).toEqual([]);
  });

  test('many files one after another', async () => {
    expect(keysIn(await entriesOf(exportFile([two]), exportFile([one]), exportFile([two])))).toEqual([
      'DEMO-2',
      'DEMO-1',
      'DEMO-2',
    ]);
  });

  test('an answer without any issue', async () => {
    expect(await entriesOf(exportFile(searchResult()))).toEqual([]);
  });

  test('everything anew with every call', async () => {
    const tracker = createFileTracker([exportFile([one])]);
    for (const _ of ['once', 'twice']) {
      const entries: TrackerEntry[] = [];
      for await (const entry of tracker.entries()) entries.push(entry);
      expect(keysIn(entries)).toEqual(['DEMO-1']);
    }
  });

  test('from a pipe, which cannot be opened twice', async () => {
    const pipe = join(temporaryFolder(), 'pipe');
    execFileSync('mkfifo', [pipe]);
    const writer = spawn('sh', ['-c', `cat > '${pipe}'`], { stdio: ['pipe', 'ignore', 'ignore'] });
    writer.stdin.end(gzipSync(JSON.stringify([one, two])));
    const ended = once(writer, 'exit');
    expect(keysIn(await entriesOf(pipe))).toEqual(['DEMO-1', 'DEMO-2']);
    await ended;
  });
});

describe('the file tracker tells progress', () => {
  test.each([
    ['plain', exportFile(searchResult(...Array.from({ length: 4000 }, () => one)))],
    ['gzipped', exportFile(searchResult(...Array.from({ length: 4000 }, () => one)), 'issues.json.gz')],
  ])('in bytes of the %s file up to its size', async (_, file) => {
    const reports: FileProgress[] = [];
    for await (const _entry of createFileTracker([file], (progress) => reports.push(progress)).entries());
    const size = readFileSync(file).length;
    expect(reports.length).toBeGreaterThan(1);
    expect(reports.at(-1)).toMatchObject({ bytes: size, size });
    expect(reports.map(({ bytes }) => bytes)).toEqual(
      reports.map(({ bytes }) => bytes).toSorted((a, b) => a - b),
    );
  });
});

describe('the file tracker rejects', () => {
  test('an entry by its key, or by its place where it has none, and reads on', async () => {
    const file = exportFile([null, 'words', { ...one, fields: {} }, { fields: {} }, two]);
    const entries = await entriesOf(file);
    expect(keysIn(entries)).toEqual(['DEMO-2']);
    expect(rejectedIn(entries)).toEqual([
      { key: null, reason: 'the entry at byte 1 is not an issue: it is null' },
      { key: null, reason: 'the entry at byte 6 is not an issue: it is a text' },
      { key: 'DEMO-1', reason: 'fields.created is missing' },
      { key: null, reason: expect.stringMatching(/^the entry at byte \d+ is not an issue: key is missing$/) },
    ]);
    expect(entries.filter((entry) => entry.kind === 'rejected').every(({ source }) => source === file)).toBe(
      true,
    );
  });

  test('an entry of broken JSON, and reads on', async () => {
    const entries = await entriesOf(exportFile(`{"issues":[{"key":oops},${JSON.stringify(one)}]}`));
    expect(keysIn(entries)).toEqual(['DEMO-1']);
    expect(rejectedIn(entries)).toEqual([
      { key: null, reason: expect.stringContaining('the entry at byte 11 is broken JSON: ') },
    ]);
  });
});

describe('the file tracker cannot read', () => {
  test.each([
    ['a missing file', join(temporaryFolder(), 'nowhere.json'), 'there is no such file'],
    [
      'a file below a file',
      join(exportFile([]), 'issues.json'),
      expect.stringContaining('the file cannot be read: ENOTDIR'),
    ],
    ['a folder', dirname(exportFile([])), 'this is a folder, not a file'],
    [
      'a damaged gzip',
      bytesFile(Buffer.concat([gzipSync('[]').subarray(0, 10), Buffer.alloc(40, 7)])),
      expect.stringContaining('the file is damaged gzip: '),
    ],
  ])('%s, and reads the next', async (_, file, reason) => {
    const entries = await entriesOf(file, exportFile([one]));
    expect(unreadableIn(entries)).toEqual([reason]);
    expect(rejectedIn(entries)).toEqual([]);
    expect(keysIn(entries)).toEqual(['DEMO-1']);
  });
});

describe('a list of statuses', () => {
  const list: { id: string }[] = JSON.parse(
    readFileSync(fixture('devlake-jira-cloud.statuses.json'), 'utf8'),
  );

  test('is told under its file’s name when the file has been read to the end', async () => {
    const ids = list.map(({ id }) => id);
    const file = fixture('devlake-jira-cloud.statuses.json');
    expect(listsIn(await entriesOf(file, exportFile(list, 'statuses.json.gz')))).toEqual([
      { list: 'devlake-jira-cloud.statuses.json', ids },
      { list: 'statuses.json', ids },
    ]);
  });

  test('is only learnt from when an entry was rejected, and not told when its file is cut', async () => {
    const entries = await entriesOf(exportFile([...list, null]));
    expect(listsIn(entries)).toEqual([]);
    expect(entries.filter(({ kind }) => kind === 'statuses')).toHaveLength(1);
    const cut = await entriesOf(exportFile(JSON.stringify(list).slice(0, -5)));
    expect(cut.map(({ kind }) => kind)).toEqual(['unreadable']);
  });

  test.each([
    ['priorities', [{ self: 'https://jira.example.com/2', id: '2', name: 'High' }]],
    ['issue types with their statuses', [{ id: '3', name: 'Task', subtask: false, statuses: list }]],
    ['projects', [{ id: '10000', key: 'DEMO', name: 'Demonstration' }]],
  ])('is not taken from a list of %s', async (_, other) => {
    const entries = await entriesOf(exportFile(other));
    expect(entries.map(({ kind }) => kind)).toEqual(['rejected']);
  });
});
