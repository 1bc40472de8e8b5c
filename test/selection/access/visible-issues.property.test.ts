import fc from 'fast-check';
import { expect, test } from '#jest';
import { isVisible } from '../../../src/engine/columns/visibility.ts';
import { rowContent } from '../../../src/engine/measure/own-cells.ts';
import { tableOf } from '../../../src/mirror/issue-table.ts';
import { emptyDirectory, type PrincipalsDirectory } from '../../../src/model/directory.ts';
import { type Issue, RESTRICTION } from '../../../src/model/issue.ts';
import { rightsOf } from '../../../src/selection/access/access-rules.ts';
import { fieldsOfLoaded, fieldsOfVisible } from '../../../src/selection/access/select-issues.ts';
import { createVisibleIssues, mentionedPeople } from '../../../src/selection/access/visible-issues.ts';
import { anOddIssue } from '../../support/odd-issue.ts';
import { principalOf } from '../../support/principal-of.ts';
import { runs } from '../../support/soak.ts';

const person = fc.constantFrom({ id: 'ada', name: 'Ada' }, { id: 'bob', name: 'Bob' }, null);

/** Issues of several projects and levels, odd in whatever else they hold. */
const someIssues: fc.Arbitrary<readonly Issue[]> = fc
  .array(
    fc.record({
      odd: anOddIssue,
      project: fc.constantFrom('WEB', 'HR', 'ops'),
      level: fc.constantFrom(null, { id: '7', name: 'Seven' }, { id: '8', name: 'Eight' }),
      reporter: person,
    }),
    { maxLength: 10 },
  )
  .map((some) =>
    some.map(({ odd, project, level, reporter }, i) => ({
      ...odd,
      key: `${project}-${i + 1}`,
      fields: { ...odd.fields, security: level, reporter },
    })),
  );

const byRules: PrincipalsDirectory = {
  ...emptyDirectory,
  access: [
    { kind: 'project', id: 'HR', viewers: ['bob'] },
    { kind: 'level', id: '7', viewers: ['ada'] },
  ],
  permissions: null,
};
const aDirectory = fc.oneof(
  fc.constant(byRules),
  fc.record({ projects: fc.subarray(['WEB', 'HR', 'OPS']), numbers: fc.array(fc.nat(9)) }).map(
    ({ projects, numbers }): PrincipalsDirectory => ({
      ...byRules,
      permissions: {
        projects: new Set(projects),
        closedProjects: new Set<string>(),
        issues: new Set(numbers.flatMap((number) => [`WEB-${number}`, `OPS-${number}`, `HR-${number}`])),
        unasked: 0,
      },
    }),
  ),
);
const anPrincipal = fc.constantFrom(principalOf('ada'), principalOf('bob'), principalOf('eve', 'admin'));

test('a principal sees in columns what rights say of each issue, and knows of what these mention', async () => {
  await fc.assert(
    fc.asyncProperty(someIssues, anPrincipal, aDirectory, async (issues, principal, directory) => {
      const table = tableOf(issues);
      const seen = await createVisibleIssues()(table, principal, directory);
      const visible = issues.filter(rightsOf(principal, directory));
      const keys = Array.from(seen.rows(), (row) => table.columns.keyOf(row));
      expect(keys.toSorted()).toEqual(visible.map(({ key }) => key).toSorted());
      expect(seen.isWhole).toBe(visible.length === issues.length);
      const { mentioned } = seen;
      const known = await fieldsOfLoaded(visible, () => null);
      expect(new Set(mentioned.fields)).toEqual(known.contents);
      expect(new Set(mentioned.changed)).toEqual(known.changed);
      expect(mentioned.people()).toEqual(mentionedPeople(visible));
      const statuses = visible.flatMap(({ status, changes }) => [
        status.id,
        ...changes
          .filter(({ field }) => field === 'status')
          .flatMap(({ from, to }) => [from, to].flatMap((one) => one?.id ?? [])),
      ]);
      for (const id of statuses) expect(mentioned.statuses()).toContain(id);
      const inOrder = seen.rows().toReversed();
      const byCreation = (await table.load(inOrder)).filter((issue) => issue !== null);
      for (const field of ['security', 'reporter', 'created', ...known.contents]) {
        const kind = await (await fieldsOfLoaded(byCreation, () => null)).kindOf(field);
        expect(await fieldsOfVisible(seen).kindOf(field)).toBe(kind);
      }
    }),
    { numRuns: runs(60) },
  );
});

/** What is known of the issues seen beside what columns say. */
function toldOf({ mentioned, known }: Awaited<ReturnType<ReturnType<typeof createVisibleIssues>>>): unknown {
  const { fields, changed, statuses, people, others } = mentioned;
  const { listed, projects, assignees } = others;
  const ids = [...fields, ...changed];
  return {
    ...{ fields, changed, listed, projects, assignees, statuses: statuses(), people: people() },
    ...{ authors: known.authors(), fieldIds: known.fieldIds() },
    former: ids.map((field) => others.former(field)),
  };
}

test('what single issues mention is known as if they were read anew, whatever has changed since', async () => {
  await fc.assert(
    fc.asyncProperty(
      someIssues,
      someIssues,
      anPrincipal,
      fc.array(aDirectory, { minLength: 1, maxLength: 2 }),
      async (issues, later, principal, directories) => {
        const now = [...issues];
        const table = tableOf(now);
        const { columns } = table;
        const visibleIssues = createVisibleIssues();
        for (const change of [null, ...later.keys()]) {
          const issue = change === null ? undefined : later[change];
          if (change !== null && issue !== undefined) {
            // One more, or another under an earlier one's key.
            const index = change % 2 === 0 ? now.length : change % Math.max(1, now.length);
            now[index] = change % 3 === 0 ? { ...issue, key: `WEB-${100 + change}` } : issue;
            columns.put(index + 1, rowContent(now[index] ?? issue));
            if (change % 4 === 3) columns.remove(now[0]?.key ?? '');
          }
          for (const directory of directories) {
            const expected = await createVisibleIssues()(table, principal, directory);
            expect(toldOf(await visibleIssues(table, principal, directory))).toEqual(toldOf(expected));
          }
        }
      },
    ),
    { numRuns: runs(60) },
  );
});

test('of thousands of single issues only those are read again that have changed', async () => {
  const security = { id: '7', name: 'Seven' };
  const [one] = fc.sample(anOddIssue, { numRuns: 1, seed: 1 });
  if (one === undefined) throw new Error('There is no issue.');
  const issues: Issue[] = Array.from({ length: 3_000 }, (_, i) => ({
    ...one,
    key: `WEB-${i + 1}`,
    fields: { ...one.fields, security },
  }));
  const keys = issues.map(({ key }) => key);
  const directory = {
    ...byRules,
    permissions: {
      projects: new Set<string>(),
      closedProjects: new Set<string>(),
      issues: new Set(keys),
      unasked: 0,
    },
  };
  const whole = tableOf(issues);
  let read = 0;
  const table: typeof whole = {
    ...whole,
    load(rows) {
      read += rows.length;
      return whole.load(rows);
    },
  };
  const visibleIssues = createVisibleIssues();
  const look = async (permissions = directory.permissions) => {
    read = 0;
    const { rows, mentioned } = await visibleIssues(table, principalOf('ada'), { ...directory, permissions });
    return { rows: rows().length, read, isListed: mentioned.fields.has('customfield_99') };
  };
  expect(await look()).toEqual({ rows: 3_000, read: 3_000, isListed: false });
  for (const i of [4, 2_000]) {
    const issue = issues[i] ?? one;
    issues[i] = { ...issue, fields: { ...issue.fields, customfield_99: 'new' } };
    table.columns.put(i + 1, rowContent(issues[i] ?? one));
  }
  expect(await look()).toEqual({ rows: 3_000, read: 2, isListed: true });
  // Others who see some of them.
  const some = { ...directory.permissions, issues: new Set(keys.slice(10, 20)) };
  expect(await look(some)).toEqual({ rows: 10, read: 0, isListed: false });
});

/** One thing that happens to the issues between two questions. */
const aChange = fc.record({
  index: fc.nat(30),
  kind: fc.constantFrom('new', 'changed', 'moved', 'gone'),
  level: fc.constantFrom(
    null,
    { id: '7', name: 'Seven' },
    { id: '8', name: 'Eight' },
    { id: '9', name: 'Nine' },
  ),
  role: fc.constantFrom(undefined, undefined, [{ id: '10', name: 'Ten' }]),
  assignee: person,
  created: fc.integer({ min: 0, max: 5 }),
});
type Change = typeof aChange extends fc.Arbitrary<infer One> ? One : never;
const aTurn = fc.record({
  principal: fc.oneof(anPrincipal, fc.constantFrom(principalOf('cem'), principalOf('eve'))),
  directory: fc.nat(3),
  changes: fc.array(aChange, { maxLength: 4 }),
});

test('principals who take turns see what a plain pass over all issues says, in order, whatever changes in between', async () => {
  const groups = [{ id: 'team', name: 'Team', members: ['cem'] }];
  const withGroup = { ...byRules.access[0], kind: 'project' as const, id: 'HR', viewers: ['group:team'] };
  await fc.assert(
    fc.asyncProperty(
      someIssues,
      fc.array(aTurn, { minLength: 2, maxLength: 12 }),
      fc.array(aDirectory, { minLength: 3, maxLength: 3 }),
      fc.constantFrom(1, 60, undefined),
      async (issues, turns, directories, maxBytes) => {
        const rights = [
          ...directories,
          { ...byRules, groups, access: [...byRules.access.slice(1), withGroup] },
        ];
        const now = new Map(issues.map((issue, i) => [i + 1, issue]));
        const stored = [...issues];
        const table = tableOf(stored);
        const { columns } = table;
        const visibleIssues = createVisibleIssues(maxBytes);
        for (const { principal, directory, changes } of turns) {
          for (const change of changes) applyChange({ now, stored, columns }, change);
          const one = rights[directory] ?? byRules;
          const rows = [...columns.rowsByCreation()].reverse();
          const byKey = new Map([...now.values()].map((issue) => [issue.key, issue]));
          const maySee = rightsOf(principal, one);
          const plain = rows
            .map((row) => columns.keyOf(row))
            .filter((key) => maySee(byKey.get(key) ?? noIssue()));
          const seen = await visibleIssues(table, principal, one);
          expect(Array.from(seen.rows(), (row) => columns.keyOf(row))).toEqual(plain);
          expect(seen.isWhole).toBe(plain.length === now.size);
          const isSeen = rows.filter((row) => isVisible(columns.arrays(), row, seen.visibility));
          expect(isSeen.map((row) => columns.keyOf(row))).toEqual(plain);
        }
      },
    ),
    { numRuns: runs(150) },
  );
});

function noIssue(): never {
  throw new Error('There is no such issue.');
}

function applyChange(
  {
    now,
    stored,
    columns,
  }: {
    readonly now: Map<number, Issue>;
    readonly stored: Issue[];
    readonly columns: ReturnType<typeof tableOf>['columns'];
  },
  { index, kind, level, role, assignee, created }: Change,
): void {
  const ids = [...now.keys()];
  const id = kind === 'new' ? Math.max(0, ...ids) + 1 : ids[index % Math.max(1, ids.length)];
  const before = id === undefined ? undefined : (now.get(id) ?? now.values().next().value);
  if (id === undefined || before === undefined) return;
  if (kind === 'gone') {
    columns.remove(before.key);
    now.delete(id);
    return;
  }
  const project = ['WEB', 'HR', 'ops'][index % 3];
  const issue: Issue = {
    ...before,
    key: kind === 'changed' ? before.key : `${project}-${100 + id}`,
    ...(kind === 'new' ? { created: before.created + created - 2 } : {}),
    assignee,
    fields: {
      ...before.fields,
      assignee,
      security: level,
      ...(role === undefined ? {} : { [RESTRICTION]: role }),
    },
  };
  if (kind === 'changed' && !now.has(id)) return;
  now.set(id, issue);
  stored[id - 1] = issue;
  columns.put(id, rowContent(issue));
}
