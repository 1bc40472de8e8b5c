import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '#jest';
import {
  exportFile,
  isAssignedTo,
  jiraIssue,
  jiraUser,
  movesTo,
  type RawIssue,
} from '../../support/jira-export.ts';
import { startDwell, type TestDwell } from '../../support/start-dwell.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

// Ids and names are between those of others, as the pseudonym's are, so that nothing is in another order.
const ADA = 'eda-ada';
const ada = { ...jiraUser(ADA), displayName: 'Eda Byron', emailAddress: 'ada@example.com' };
const bob = { ...jiraUser('acc-bob'), displayName: 'Bob' };
const users = [ada, bob];

/** An issue that was Ada's, with her name wherever a person can be. */
function issueOfAda(number: number): RawIssue {
  const issue = jiraIssue(`WEB-${number}`, { assignee: ADA })
    .at('2026-03-03T09:00:00Z', movesTo('In Progress'))
    .at('2026-03-04T09:00:00Z', isAssignedTo('acc-bob'))
    .at('2026-03-09T09:00:00Z', isAssignedTo(ADA))
    .at('2026-03-10T09:00:00Z', movesTo('Done'))
    .onCloud();
  const { histories = [] } = issue.changelog ?? {};
  return {
    ...issue,
    fields: {
      ...issue.fields,
      summary: number === 1 ? 'Eda Byron wants a lift' : 'A plain one',
      assignee: ada,
      reporter: ada,
      customfield_10050: [ada, bob],
    },
    changelog: {
      histories: histories.map((entry) => ({ ...entry, author: number % 2 === 0 ? ada : bob })),
    },
  };
}

let dwell: TestDwell;
let dataDir: string;

beforeEach(async () => {
  dataDir = temporaryFolder();
  dwell = await startDwell({ dataDir });
  await dwell.types('import', exportFile([...users, ...[1, 2, 3].map(issueOfAda)]));
});
afterEach(() => dwell.stop());

const linesOf = async (...args: string[]) => (await dwell.types('person', ...args)).lines;

const questions: readonly (readonly [path: string, parameters: Record<string, string>])[] = [
  ['/rest/issues/v2', { filterType: 'project', projectKey: 'WEB', columnsBy: 'assigneeDuration' }],
  [
    '/rest/issues/aggregation',
    {
      ...{ filterType: 'project', projectKey: 'WEB', columnsBy: 'statusDuration' },
      ...{ aggregationType: 'average', groupByFields: 'assignee' },
    },
  ],
  ['/rest/issues/weekly', { filterType: 'project', projectKey: 'WEB' }],
  ['/rest/issue', { issueKey: 'WEB-1', columnsBy: 'assigneeDuration' }],
  [
    '/rest/issues/v2',
    { filterType: 'customjql', customjql: `assignee was "${ADA}"`, columnsBy: 'statusDuration' },
  ],
];

async function answersOf(of: TestDwell, rename: (text: string) => string = (text) => text) {
  const admin = of.as('ops', { admin: true });
  const texts: string[] = [];
  for (const [path, parameters] of questions) {
    const { customjql } = parameters;
    const asked = customjql === undefined ? parameters : { ...parameters, customjql: rename(customjql) };
    const { status, text } = await admin.get(path, asked);
    expect([path, status]).toEqual([path, 200]);
    texts.push(text);
  }
  return texts;
}

/** The pseudonym that the first line of an erasure names. */
function pseudonymIn(lines: readonly string[]): { readonly id: string; readonly name: string } {
  const [, name = '', id = ''] = /become[s]? (.*) \((erased-[0-9a-f]{16})\)\.$/.exec(lines[0] ?? '') ?? [];
  expect(name).toBe(`Erased person ${id.slice(7, 11)}`);
  return { id, name };
}

test('erases a person everywhere; figures stay the same in every process, and after a start', async () => {
  const second = await startDwell({ dataDir });
  const before = await answersOf(dwell);
  expect(await answersOf(second)).toEqual(before);
  const { lines, code } = await dwell.types('person', 'erase', 'Eda Byron', '--yes');
  const { id, name } = pseudonymIn(lines);
  expect({ code, lines }).toEqual({
    code: 0,
    lines: [
      `eda-ada (Eda Byron, ada@example.com) becomes ${name} (${id}).`,
      ...['terms file: 3', 'issues file: 3', 'facts file: 1', 'users file: 1'].map((line) => `  ${line}`),
      'The person is erased.',
      'Names that are still in text that people wrote:',
      '  issues file: 1',
      ...lines.slice(-2),
    ],
  });
  const rename = (text: string) =>
    text
      .replaceAll(ADA, id)
      .replaceAll('Eda Byron', name)
      // The title of an issue is what someone wrote.
      .replaceAll(`${name} wants`, 'Eda Byron wants');
  const expected = before.map(rename);
  expect(await answersOf(second, rename)).toEqual(expected);
  expect(await answersOf(dwell, rename)).toEqual(expected);
  await second.stop();
  const third = await startDwell({ dataDir });
  expect(await answersOf(third, rename)).toEqual(expected);
  await third.stop();
});

test('stays erased when the tracker sends the person again', async () => {
  const { id, name } = pseudonymIn(await linesOf('erase', ADA, '--yes'));
  await dwell.types('import', exportFile([...users, ...[1, 2, 3, 4].map(issueOfAda)]));
  const issue = { issueKey: 'WEB-4', columnsBy: 'assigneeDuration' };
  const { text } = await dwell.as('ops', { admin: true }).get('/rest/issue', issue);
  expect(text).toContain(`{"id":"${id}","value":"${name}"`);
  expect(text).not.toContain(ADA);
  const found = await dwell.types('people', '--find', 'e');
  expect(found.lines.join('\n')).toContain(id);
  expect(found.lines.join('\n')).not.toContain(ADA);
  // Only text that people wrote has the name again.
  expect(await linesOf('erase', ADA, '--dry-run')).toEqual([
    `eda-ada would become ${name} (${id}).`,
    expect.stringContaining('Nothing was replaced'),
  ]);
});

test('switches off what a person has, and lets no one be them', async () => {
  await dwell.types('people', '--link', 'U0EDA', '--to', ADA);
  const token = (await dwell.types('token', '--user', ADA)).lines[0] ?? '';
  await dwell.types('delegates', '--view', ADA);
  const query = { Authorization: `TISJWT ${token}` };
  expect(
    (await dwell.get('/rest/issue', { issueKey: 'WEB-1', columnsBy: 'statusDuration' }, query)).status,
  ).not.toBe(401);
  const { lines } = await dwell.types('person', 'erase', ADA, '--yes');
  const { id } = pseudonymIn(lines);
  expect(lines[0]).toContain('also U0EDA, becomes');
  expect(
    (await dwell.get('/rest/issue', { issueKey: 'WEB-1', columnsBy: 'statusDuration' }, query)).status,
  ).toBe(401);
  const tokens = (await dwell.types('tokens')).lines.filter((line) => line.includes(id));
  expect(tokens).toEqual([expect.stringMatching(/^[\w-]+ {2}off {2}/)]);
  const off = tokens[0]?.split(' ')[0] ?? '';
  const refusal = `'${id}' was erased and cannot have a token. Try: another user.`;
  await expect(dwell.types('tokens', '--on', off)).rejects.toThrow(refusal);
  await expect(dwell.types('people', '--link', 'U0EDA', '--to', id)).rejects.toThrow();
  await expect(dwell.types('token', '--user', id)).rejects.toThrow();
  expect((await dwell.types('people')).lines.join()).not.toContain('U0EDA');
  const audit = (await dwell.types('audit', '--json')).lines;
  expect(audit.join()).not.toMatch(/eda|EDA/);
  expect(
    audit.map((line) => JSON.parse(line)).map(({ action, subject }) => `${action} ${subject.id}`),
  ).toEqual(expect.arrayContaining([`person.erased ${id}`, `link.created ${id}`]));
});

test('exports what is stored about a person into a file that only its owner can read', async () => {
  await dwell.types('people', '--link', 'U0EDA', '--to', ADA);
  await dwell.types('token', '--user', ADA);
  const file = join(dataDir, 'eda.json');
  expect(await linesOf('export', 'ada@example.com', file)).toEqual([
    expect.stringMatching(/^\d+ records about eda-ada are in /),
  ]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const { records, ...head } = readExport(readFileSync(file, 'utf8'));
  expect(head).toEqual({
    exportedAt: '2026-03-18T12:00:00.000Z',
    account: ADA,
    accounts: [ADA, 'U0EDA'],
    names: ['Eda Byron', 'ada@example.com'],
    erasedAs: null,
  });
  expect(records.map(({ kind, id }) => [kind, kind === 'token' || kind === 'audit' ? null : id])).toEqual([
    ['issue', 'WEB-1'],
    ['issue', 'WEB-2'],
    ['issue', 'WEB-3'],
    ['token', null],
    ...Array.from({ length: 3 }, () => ['audit', null]),
    ['user', ADA],
    ['links', 'U0EDA'],
  ]);
  expect(records[1]).toMatchObject({
    tracker: 'file',
    content: {
      fields: ['assignee', 'reporter', 'customfield_10050'],
      isAssignee: true,
      changesBy: 4,
      changesOf: 2,
    },
  });
  // Printed, it is the same.
  const printed = await linesOf('export', ADA);
  expect(readExport(printed.join('\n')).records).toHaveLength(records.length + 1);
  const asJson = await linesOf('erase', ADA, '--dry-run', '--json');
  expect(JSON.parse(asJson.join('\n'))).toMatchObject({
    account: ADA,
    pseudonym: { name: expect.stringMatching(/^Erased person [0-9a-f]{4}$/) },
    isErased: false,
    found: expect.arrayContaining([{ place: 'issues file', records: 3, inText: 1 }]),
    left: null,
  });
  await expect(dwell.types('person', 'export', ADA, file)).rejects.toMatchObject({
    details: [`FILE '${file}' exists already. Try: another name.`],
  });
});

test('refuses what it cannot do, or is not to do yet', async () => {
  const usage = 'Try: person export ACCOUNT [FILE] | erase ACCOUNT [--dry-run | --yes].';
  const refusals: readonly (readonly [args: readonly string[], sentence: string])[] = [
    [[], `What to do is missing. ${usage}`],
    [['erase'], `ACCOUNT is missing. ${usage}`],
    [['erase', ADA, 'eda.json', '--yes'], `Unexpected argument 'eda.json'. ${usage}`],
    [['remove', ADA], "'remove' is not known. Try: export, erase."],
    [
      ['erase', ADA],
      'Erasing a person cannot be undone. See what it does with --dry-run, then repeat it with --yes.',
    ],
    [['erase', ADA, '--yes', '--dry-run'], '--dry-run and --yes cannot be used together.'],
    [
      ['export', ADA, join(dataDir, 'no', 'eda.json')],
      `FILE '${join(dataDir, 'no', 'eda.json')}' cannot be written (ENOENT). Try: another folder.`,
    ],
  ];
  for (const [args, sentence] of refusals)
    await expect(dwell.types('person', ...args)).rejects.toMatchObject({ details: [sentence] });
});

test('names those who may be meant', async () => {
  const sentence = "Nothing is stored about 'eda'. Try: eda-ada.";
  await expect(dwell.types('person', 'erase', 'eda', '--dry-run')).rejects.toThrow(sentence);
});

test('does not take a status for a person, and erases an account that is no user', async () => {
  await expect(dwell.types('person', 'erase', '8', '--dry-run')).rejects.toThrow(
    "Nothing is stored about '8'",
  );
  await dwell.types('token', '--user', 'build');
  const { lines, code } = await dwell.types('person', 'erase', 'build', '--yes');
  expect(code).toBe(0);
  const { id } = pseudonymIn(lines);
  const refusal = `'${id}' was erased and cannot have a token.`;
  await expect(dwell.types('token', '--user', 'build')).rejects.toThrow(refusal);
  const off = expect.stringContaining(`off    ${id}  `);
  expect((await dwell.types('tokens')).lines).toEqual([off, off]);
});

/** The export of a person, as its readers have it. */
function readExport(text: string): {
  readonly records: readonly { readonly kind: string; readonly id: string }[];
} {
  return JSON.parse(text);
}
