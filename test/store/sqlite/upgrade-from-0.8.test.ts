import { afterAll, beforeAll, describe, expect, test } from '#jest';
import { createLocalRecords } from '../../../src/api/delegations/local-delegation-records.ts';
import { emptyDirectory } from '../../../src/model/directory.ts';
import { NameTaken } from '../../../src/store/documents.ts';
import { ended } from '../../http/exports/ended.ts';
import { leftFolder } from '../../support/left-folder.ts';
import { openTestStore, type TestStore } from '../../support/open-test-store.ts';
import { type NamesInStore, readWholeStore } from '../../support/read-whole-store.ts';
import {
  comparable,
  fixtureLines,
  type LeftOffice,
  type RecordedAnswer,
  readLeft,
  startOverLeft,
  type Who,
} from './left-office.ts';

/** Texts of the app by where they are: two channels, and its conversations with two people. */
type Texts = Readonly<Record<'reef' | 'tide' | 'ada' | 'bob', readonly string[]>>;

/** What 0.8.0 answered when the folder that it left was opened again. */
interface Before extends LeftOffice {
  readonly names: NamesInStore;
  readonly ending: readonly { readonly who: Who; readonly id: string }[];
  readonly spoken: readonly { line: string; as: string; in: string; text: string }[];
  /** What was posted by an instant, and not by the one before. */
  readonly posted: readonly { at: string; texts: Texts }[];
}
const before = readLeft<Before>('0.8.0');

/** What 0.8.0 answered over REST. */
const answers = fixtureLines<RecordedAnswer>('dwell-0.8.0.answers.jsonl');
/** What 0.8.0 read from its store, by what it is. */
const stored = fixtureLines<readonly [string, unknown]>('dwell-0.8.0.store.jsonl');

const MINUTE = 60_000;

/** What is stored of the delegations of people from files. */
const recordsOf = (store: TestStore) =>
  createLocalRecords({
    store: async () => store.documents('file').delegations,
    directory: async () => emptyDirectory,
    users: async () => new Map(['ada', 'bob'].map((id) => [id, { id, name: id }])),
    now: () => Date.parse(before.at),
  });

let read: Readonly<Record<string, unknown>>;
let place: Awaited<ReturnType<typeof startOverLeft>>;
beforeAll(async () => {
  const store = await openTestStore(leftFolder('dwell-0.8.0.sql', before.files));
  read = await readWholeStore(store, before.names);
  store.close();
  place = await startOverLeft('0.8.0', before);
});
afterAll(() => place.stop());

describe('the store', () => {
  test('has what it had, and nothing else', () => {
    expect(Object.keys(read).toSorted()).toEqual(stored.map(([name]) => name).toSorted());
  });

  test.each(stored)('%s', (name, value) => {
    expect(read[name]).toEqual(value);
  });
});

describe('what is written to the store next', () => {
  const at = Date.parse(before.at);
  let next: TestStore;
  beforeAll(async () => {
    next = await openTestStore(leftFolder('dwell-0.8.0.sql', {}));
  });
  afterAll(() => next.close());

  test('has ids that nothing had before', async () => {
    const hours = { name: 'Night', timeZone: 'UTC', workingTimes: [], holidays: [] };
    const span = { start: at, end: at + MINUTE, active: true, notes: '' };
    const wish = { ...span, delegator: 'ada', delegates: ['bob'], categoryIds: [] };
    const records = recordsOf(next);
    expect([
      (await next.calendars.addNumbered({ name: '', first: 101 }, (id) => ({ ...hours, id }))).id,
      (await records.own?.addCategory({ name: 'Spare', description: '' }))?.id,
      (await records.add(wish, 'ada')).id,
    ]).toEqual([103, 104, 100_003]);
  });

  test('keeps names unique', async () => {
    const [calendar] = await next.calendars.list();
    const set = (await next.parameterSets.list()).find(({ name }) => name === 'Kelp times');
    if (calendar === undefined || set === undefined) throw new Error('They are missing.');
    const twice = { ...calendar, name: 'REEF hours', id: 900 };
    await expect(next.calendars.change('900', () => twice)).rejects.toThrow(NameTaken);
    await expect(
      next.parameterSets.change('another', () => ({ ...set, id: 'another', name: 'kelp TIMES' })),
    ).rejects.toThrow(NameTaken);
    const audit = { name: 'AUDIT', description: '' };
    await expect(recordsOf(next).own?.addCategory(audit)).rejects.toMatchObject({ reason: 'name-taken' });
    const entry = next
      .documents('file')
      .delegations.change('category 900', () => ({ category: { id: 900, ...audit } }));
    await expect(entry).rejects.toThrow(NameTaken);
  });

  test('waits for the lease of a killed sync', async () => {
    const sync = next.sync('jira');
    const lease = { holder: 'another', until: at + MINUTE };
    expect([
      await sync.claim(lease, Date.parse('2026-03-16T08:01:09Z')),
      await sync.claim(lease, Date.parse('2026-03-16T08:01:10Z')),
    ]).toEqual([false, true]);
  });

  test.each(['file', 'jira'])('is a change after all that is known of issues of %s', async (tracker) => {
    const issues = next.issues(tracker);
    const [key = ''] = await issues.recentKeys(1);
    const issue = await issues.issue(key);
    if (issue === null) throw new Error(`${key} is missing.`);
    const revision = await issues.revision();
    const summary = 'Another summary';
    await issues.putIssues(
      [{ ...issue, summary, fields: { ...issue.fields, summary } }],
      (_kept, incoming) => incoming,
    );
    const { issues: changed, removed } = await issues.changedSince(revision, 9);
    expect([changed.map((one) => [one.issue.key, one.issue.summary]), removed]).toEqual([
      [[key, summary]],
      [],
    ]);
    expect(await issues.count()).toBe(tracker === 'file' ? 15 : 8);
  });

  test('finds an issue by its id in Jira, under whatever key it is', async () => {
    const issues = next.issues('jira');
    const issue = await issues.issue('OPS2-8');
    if (issue === null) throw new Error('OPS2-8 is missing.');
    await issues.putIssues([{ ...issue, key: 'OPS2-800' }], (_kept, incoming) => incoming);
    const keys = ['OPS2-8', 'OPS2-80', 'OPS2-800'].map(async (key) => (await issues.issue(key))?.key);
    expect(await Promise.all(keys)).toEqual(['OPS2-800', 'OPS2-800', 'OPS2-800']);
  });
});

/** A text of 0.8 as it is now: names of statuses no longer say which wait, a flow may say what is started, and aging has targets. */
const worded = (text: string) =>
  text
    .replace(/ Flow efficiency [^.]*\./, '')
    .replace(/\n\*Flow efficiency\*:.*/, '')
    .replace('first status of category In Progress', 'first started status')
    .replace('issues in a status of category In Progress at', 'issues that are started and not done at')
    .replace(
      /(?<=Digest \*aging KELP\* .* longer than usual\.)/,
      ' 1 issue has missed its target of 10d 5h (85% of the last 90 days).',
    )
    .replace(/(?<=KELP-[67]: [^;]* In Review, )/g, '–, ')
    .replace(/(?<=KELP-9: [^;]* In Progress, )/, 'missed Mar 14, ')
    .replace(
      /(?<=^Time in status against usual: .*)$/,
      ' "Target" is the time from start to done that the flow of the project sets, else the 85th percentile of the last 90 days.',
    );

/** A text without its version and the random id of a run. */
const stable = (text: string) =>
  text.replace(/Run \w{10}\./, 'Run RUN.').replace(/(?<=\*Dwell\* )\S+/, 'VERSION');

test.each(before.ending)('the export $id comes to its end', async ({ who, id }) => {
  expect(await ended({ get: (path) => place.get(who, path) }, id)).toMatchObject({ status: 'Successful' });
  expect((await place.get(who, `/rest/export/${id}/download`)).status).toBe(200);
});

test.each(answers)('$who: $path', async ({ who, path, status, body }) => {
  const answer = await place.get(who, path);
  expect([answer.status, comparable(answer.json ?? answer.text)]).toEqual([status, comparable(body)]);
});

test('a list of pages goes on after the page that was returned', async () => {
  const { status, json } = await place.nextPage();
  expect([status, json.messages]).toEqual([200, undefined]);
});

test.each(before.commands)('the command line: $args', async ({ args, lines }) => {
  const typed = await place.dwell.types(...args);
  // Columns of a table may have another width.
  const narrow = (line: string) => line.replaceAll(/ +/g, ' ');
  expect({ ...typed, lines: typed.lines.map(narrow) }).toEqual({ lines: lines.map(narrow), code: 0 });
});

test.each(before.spoken)('Slack: $line of $as in $in', async ({ line, as, in: where, text }) => {
  await place.slack.types(line, { as, in: where });
  expect(stable((await place.slack.reply()).text)).toBe(text);
});

const texts = (channel: string, as: string) =>
  place.slack
    .messages({ channel, as })
    .filter(({ byApp, onlyFor }) => byApp && onlyFor === undefined)
    .map(({ text }) => stable(text));
const allTexts = (): Texts => ({
  ...{ reef: texts('reef', 'ada'), tide: texts('tide', 'bob') },
  ...{ ada: texts('dm', 'ada'), bob: texts('dm', 'bob') },
});

test('what waits is posted, nothing is posted twice, and digests go on at their next time', async () => {
  let known: Texts = { reef: [], tide: [], ada: [], bob: [] };
  for (const { at, texts } of before.posted) {
    await place.passes(Date.parse(at));
    const now = allTexts();
    expect([at, now]).toEqual([
      at,
      {
        ...{ reef: [...known.reef, ...texts.reef.map(worded)], tide: [...known.tide, ...texts.tide] },
        ...{ ada: [...known.ada, ...texts.ada], bob: [...known.bob, ...texts.bob] },
      },
    ]);
    known = now;
  }
});

test('posting is not paused, as the folder is the one it was', () => {
  expect(place.dwell.isPaused).toBe(false);
});
