import fc from 'fast-check';
import { describe, expect, test } from '#jest';
import { jsonElements } from '../../../src/trackers/file/json-elements.ts';
import { createKnownObjects, type KnownObjects } from '../../../src/trackers/file/known-objects.ts';
import { createStandIns, readElement } from '../../../src/trackers/file/read-entry.ts';
import { type ReadIssue, readCarefully, readIssue } from '../../../src/trackers/jira-json/read-issue.ts';
import { runs } from '../../support/soak.ts';

const people = ['ada', 'bob', 'eve'].flatMap((name) => [
  {
    self: `https://jira.example/user?accountId=${name}`,
    accountId: name,
    displayName: name,
    timeZone: 'UTC',
  },
  { self: `https://jira.example/user?key=${name}`, key: name, name: `${name}.login`, displayName: name },
  {
    name,
    emailAddress: `${name}@jira.example`,
    timeZone: 'nowhere',
    avatarUrls: { '16x16': `x${name}`, '': 7 },
  },
]);
const aPerson = fc.constantFrom(...people, null);
const anInstant = fc.constantFrom(
  '2026-03-02T09:00:00.000+0000',
  '2026-03-05T10:30:15.250+0530',
  '2024-02-29T23:59:59.999-0330',
  '1970-01-01T00:00:00.000Z',
  1_772_500_000_000,
  1_772_500_000,
);
const aStatus = fc.constantFrom(
  {
    self: 'https://jira.example/status/1',
    id: '1',
    name: 'To Do',
    statusCategory: { key: 'new', name: 'New' },
  },
  { id: 3, name: 'In Progress', statusCategory: { key: 'indeterminate' }, scope: { project: { key: 'A' } } },
  { name: 'Done', statusCategory: null },
);
const aWord = fc.constantFrom(
  '',
  'To Do',
  'In Progress',
  'Done',
  'Web',
  '1',
  '3',
  '7',
  'ü "quoted" \\ }',
  null,
);
const anItem = fc.record(
  {
    field: fc.constantFrom('status', 'assignee', 'labels', 'Component', 'Fix Version', 'Story Points'),
    fieldId: fc.constantFrom('status', 'assignee', 'components', 'customfield_1', ''),
    from: fc.oneof(aWord, fc.nat(9)),
    fromString: aWord,
    to: fc.oneof(aWord, fc.nat(9)),
    toString: aWord,
  },
  { requiredKeys: ['field'] },
);
const anEntry = fc.record(
  {
    id: fc.oneof(fc.nat(12).map(String), fc.nat(12)),
    author: aPerson,
    created: anInstant,
    items: fc.array(anItem, { maxLength: 4 }),
  },
  { requiredKeys: ['created', 'items'] },
);
const aSprint = fc.constantFrom(
  { id: 7, name: 'Sprint 7', state: 'closed', boardId: 3, startDate: '2026-03-02T08:30:00.000Z' },
  'com.atlassian.greenhopper.service.sprint.Sprint@1f3a[id=8,rapidViewId=3,state=ACTIVE,name=Sprint 8]',
  { id: 9, name: 'Sprint 9', state: 'unheard of' },
);
const aContent = fc.oneof(
  aPerson,
  aStatus,
  aWord,
  fc.array(fc.oneof(aSprint, aStatus, aWord, aPerson), { maxLength: 3 }),
  fc.constantFrom(
    true,
    4.5,
    { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: 'a text' }] }] },
    { issuerestrictions: { projectrole: [{ id: '1', author: people[0] }] } },
    { fields: { author: people[0] } },
  ),
);
const someFields = fc.record(
  {
    summary: fc.constantFrom('What it is about', 5),
    created: anInstant,
    updated: fc.option(anInstant),
    resolutiondate: fc.option(anInstant),
    status: aStatus,
    project: fc.constantFrom({ id: 10, key: 'WEB', name: 'Web' }, { id: '10', value: 'Web' }, null),
    assignee: aPerson,
    reporter: aPerson,
    author: aPerson,
    issuetype: fc.constantFrom({ id: '1', name: 'Bug', subtask: false }),
    labels: fc.array(fc.constantFrom('b', 'a', 'c'), { maxLength: 3 }),
    components: fc.array(fc.constantFrom({ id: '3', name: 'Web' }, { id: '1', name: 'Docs' }), {
      maxLength: 2,
    }),
    sprint: aSprint,
    closedSprints: fc.array(aSprint, { maxLength: 2 }),
    customfield_1: aContent,
    issuerestriction: aContent,
    __proto__: aContent,
  },
  { requiredKeys: ['created', 'status'] },
);
const anIssue = fc.record(
  {
    expand: fc.constant('changelog'),
    id: fc.constantFrom('1', 2),
    self: fc.constantFrom('https://jira.example/rest/api/2/issue/1', null),
    key: fc.constantFrom('WEB-1', 'web-2', 'WEB-3'),
    changelog: fc.record(
      {
        startAt: fc.constantFrom(0, 3),
        maxResults: fc.constant(100),
        total: fc.nat(6),
        histories: fc.array(anEntry, { maxLength: 6 }),
      },
      { requiredKeys: ['histories'] },
    ),
    fields: someFields,
    values: fc.constantFrom([], 'x'),
  },
  { requiredKeys: ['key', 'fields'] },
);

/** What somebody's script makes of exports. */
const anOddity = fc.constantFrom<unknown>(
  ...[
    null,
    true,
    5,
    -1.5,
    '',
    'x',
    'WEB-1',
    [],
    [0],
    [[]],
    {},
    { '': 0 },
    { '': 'x' },
    { name: 'x', '': 0 },
    { id: {} },
    people[0],
  ],
);

/** The same JSON with something else in the place that these steps lead to. */
function bent(raw: unknown, steps: readonly number[], oddity: unknown): unknown {
  const [step = 0, ...rest] = steps;
  if (raw === null || typeof raw !== 'object' || Object.keys(raw).length === 0) return oddity;
  const entries = Object.entries(raw);
  const at = step % entries.length;
  const change = ([name, value]: [string, unknown], i: number): [string, unknown] =>
    i === at ? [name, rest.length === 0 ? oddity : bent(value, rest, oddity)] : [name, value];
  const changed = entries.map(change);
  return Array.isArray(raw) ? changed.map(([, value]) => value) : Object.fromEntries(changed);
}

const anyIssue: fc.Arbitrary<unknown> = fc.oneof(
  anIssue,
  fc
    .tuple(anIssue, fc.array(fc.nat(20), { minLength: 1, maxLength: 6 }), anOddity)
    .map(([issue, steps, oddity]) => bent(issue, steps, oddity)),
);

/** What is read, also in which order it is kept; people and statuses in any order. */
function told(read: ReadIssue): unknown {
  if ('reason' in read) return read;
  return { ...read, text: JSON.stringify(read.issue), statuses: [...read.statuses] };
}

describe('an issue', () => {
  test('is read by hand as the schema reads it, or rejected for the same reason', () =>
    fc.assert(
      fc.property(anyIssue, (issue) => {
        const raw: unknown = JSON.parse(JSON.stringify(issue));
        expect(told(readIssue(raw))).toEqual(told(readCarefully(raw)));
      }),
      { numRuns: runs(400) },
    ));

  test('is read the same from a file that has told parts of it before, however it is spelled and chunked', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(anyIssue, { minLength: 2, maxLength: 12 }),
        fc.constantFrom(
          (some: unknown[]) => JSON.stringify({ issues: some }),
          (some: unknown[]) => JSON.stringify({ issues: some }, null, 1),
          (some: unknown[]) =>
            JSON.stringify([{ names: { x: 'X' }, issues: some.slice(2) }, { values: some }]),
          (some: unknown[]) => JSON.stringify([{ issues: [{ issues: some }, ...some] }, ...some]),
          (some: unknown[]) =>
            JSON.stringify([...some, { issues: some }, ...some]).replaceAll(
              '"fields":',
              (name, at: number) => (at % 2 === 0 ? name : '"f\\u0069elds":'),
            ),
        ),
        fc.integer({ min: 20, max: 4000 }),
        async (issues, wrap, size) => {
          const bytes = Buffer.from(wrap(issues));
          const found = await entriesOf(cut(bytes, size), createKnownObjects());
          expect(JSON.stringify(found)).toBe(JSON.stringify(await entriesOf([bytes], null)));
        },
      ),
      { numRuns: runs(200) },
    ));

  const [ada] = people;
  const issue = (fields: object) => ({
    key: 'WEB-1',
    fields: { created: 1_772_500_000_000, status: { name: 'Done' }, ...fields },
  });
  const page = (...issues: readonly unknown[]) => ({ issues });
  const lookAlike = issue({ assignee: { '': 0 } });
  const byAda = { histories: [{ created: 1_772_500_000_000, author: ada, items: [] }] };

  test.each<[string, unknown]>([
    [
      'looks like a stand-in, beside an issue of the page that has one',
      page(lookAlike, issue({ assignee: ada })),
    ],
    ['looks like a stand-in, in an issue whose author is one', { ...lookAlike, changelog: byAda }],
    ['has the member of a stand-in after another', issue({ assignee: ada, reporter: { name: 'x', '': 0 } })],
    ['lies in fields of a restriction', issue({ issuerestriction: { fields: { assignee: ada } } })],
  ])('an object that %s is read as it came, wherever a chunk ends', async (_, last) => {
    const plain = JSON.stringify([issue({ assignee: ada }), issue({ assignee: ada }), last]);
    const start = plain.indexOf(JSON.stringify(last));
    for (const text of [
      plain,
      plain.slice(0, start) + plain.slice(start).replace('"fields"', '"f\\u0069elds"'),
    ]) {
      const bytes = Buffer.from(text);
      const wanted = await entriesOf([bytes], null);
      for (let at = start; at < bytes.length; at += 1) {
        const chunks = [bytes.subarray(0, at), bytes.subarray(at)];
        expect(await entriesOf(chunks, createKnownObjects())).toEqual(wanted);
      }
    }
  });
});

/** What is read of a text, shortened by what is known. */
async function entriesOf(chunks: readonly Buffer[], known: KnownObjects | null): Promise<unknown[]> {
  const standIns = createStandIns();
  const entries: unknown[] = [];
  for await (const { elements, learnt } of jsonElements(chunks, { known })) {
    standIns.learn(learnt);
    for (const element of elements) entries.push(readElement(element, { file: 'x', standIns }));
  }
  return entries;
}

function cut(bytes: Buffer, size: number): Buffer[] {
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
    bytes.subarray(i * size, (i + 1) * size),
  );
}
