import fc from 'fast-check';
import { expect, test } from '#jest';
import { createStoreMirror } from '../../src/mirror/create-mirrors.ts';
import type { FieldContent, FieldValue, Issue } from '../../src/model/issue.ts';
import { ask, defaultStatistic, principalIn } from '../../src/model/request.ts';
import { localReporting } from '../support/local-reporting.ts';
import { openTestStore, type TestStore } from '../support/open-test-store.ts';
import { runs } from '../support/soak.ts';
import { dumpTables } from '../support/table-dump.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const NOW = Date.parse('2026-03-18T12:00:00Z');

/** Ids with letters, or of digits alone, which are written in another way; names are between those of others. */
const eva = { id: 'ek-7x', name: 'Eliza Quill', login: 'equill', email: 'quill@example.com' };
const ivy = { ...eva, id: '557058' };
const others = [
  { id: 'aa-1', name: 'Amy' },
  { id: 'zz-2', name: 'Zoe' },
];

const anyPerson = (of: FieldValue) => fc.constantFrom({ id: of.id, name: of.name }, ...others);

/** Issues that have a person now and then in any place; the same person in several, and some in one alone. */
function anyIssues(person: typeof eva): fc.Arbitrary<readonly Issue[]> {
  const value = anyPerson(person);
  const maybe = fc.option(value);
  const isNumber = /^\d+$/.test(person.id);
  const content: fc.Arbitrary<FieldContent> = fc.oneof(
    maybe,
    fc.uniqueArray(value, { selector: ({ id }) => id }),
    fc.constantFrom(person.name, person.login, isNumber ? 'a text' : person.id, 5),
  );
  const change = fc.record({
    field: fc.constantFrom('assignee', 'reporter', 'customfield_1', 'customfield_2'),
    from: maybe,
    to: maybe,
    by: fc.option(fc.constantFrom(person.id, 'aa-1')),
  });
  const one = fc.record({
    assignee: maybe,
    reporter: maybe,
    first: content,
    second: content,
    changes: fc.array(change, { maxLength: 4 }),
  });
  return fc.array(one, { minLength: 1, maxLength: 6 }).map((all) =>
    all.map(({ assignee, reporter, first, second, changes }, i) => ({
      ...{
        id: String(i + 1),
        key: `WEB-${i + 1}`,
        project: { id: 'WEB', name: 'Web' },
        summary: `Issue ${i}`,
      },
      ...{
        created: NOW - 1e9,
        updated: NOW - 1e6,
        resolved: null,
        status: { id: '3', name: 'Open' },
        assignee,
      },
      fields: {
        ...{ assignee, reporter, summary: `Issue ${i}`, status: { id: '3', name: 'Open' } },
        ...{ customfield_1: first, customfield_2: second },
      },
      changes: changes.map((parts, n) => ({
        ...parts,
        entry: String(n),
        item: 0,
        at: NOW - 1e9 + (n + 1) * 1e6,
      })),
      history: { complete: true } as const,
    })),
  );
}

/** A JSON text as a value whose lists and members are in one order: names and ids decide about the one of columns and groups. */
function inOneOrder(json: string): unknown {
  const sorted = (value: unknown): unknown => {
    if (typeof value === 'string') return value.split(', ').toSorted().join(', ');
    if (Array.isArray(value))
      return value.map(sorted).toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value)
        .map(([name, member]) => [name, sorted(member)])
        .toSorted(),
    );
  };
  return sorted(JSON.parse(json));
}

/** Answers of a running process over its own columns. */
function openAnswers(store: TestStore) {
  const mirror = createStoreMirror('jira', store.issues('jira'));
  const reporting = localReporting(mirror, () => NOW);
  const principal = principalIn(store.tenant, 'ops', 'admin');
  const project = { by: 'project', project: 'WEB' } as const;
  return {
    columns: async () => {
      const { facts, arrays } = (await mirror.table()).columns.toSnapshot();
      return JSON.stringify(facts) + arrays.map((array) => Buffer.from(array).toString('latin1')).join('');
    },
    async figures(account: string) {
      const jql = { by: 'jql', jql: `assignee was "${account}"` } as const;
      const requests = [
        ask({ principal, selection: project, reportType: 'assigneeDuration' }),
        ask({
          principal,
          selection: jql,
          reportType: 'statusDuration',
          fields: ['reporter', 'customfield_1'],
        }),
        ask({
          principal,
          selection: project,
          reportType: 'statusDuration',
          groupBy: ['assignee'],
          statistic: defaultStatistic,
        }),
      ];
      const tables = [];
      for (const request of requests) {
        const { columns, rows } = await reporting.report(request);
        tables.push({ columns, rows });
      }
      return JSON.stringify(tables);
    },
  };
}

test('nothing is left of an erased person in issues, terms and columns, and figures are the same', async () => {
  const anyCase = fc
    .constantFrom(eva, ivy)
    .chain((person) => anyIssues(person).map((issues) => ({ person, issues })));
  await fc.assert(
    fc.asyncProperty(anyCase, async ({ person, issues }) => {
      const folder = temporaryFolder();
      const store = await openTestStore(folder);
      await store.issues('jira').putUsers([person, ...others]);
      // One after the other: what is shared becomes a term with the second issue that has it.
      for (const issue of issues) await store.issues('jira').putIssues([issue], (_, incoming) => incoming);
      const answers = openAnswers(store);
      const before = await answers.figures(person.id);
      const found = await store.persons.find(person.id);
      await store.persons.erase(found);
      const { id, name } = found.erasure.pseudonym;
      const rename = (text: string) =>
        text.replaceAll(person.id, id).replaceAll(person.name, name).replaceAll(person.login, id);
      expect(inOneOrder(await answers.figures(id))).toEqual(inOneOrder(rename(before)));
      const traces = new RegExp([person.id, person.name, person.login, person.email].join('|'));
      expect(await answers.columns()).not.toMatch(traces);
      expect(JSON.stringify((await store.issues('jira').changedSince(0, 99)).issues)).not.toMatch(traces);
      await store.close();
      expect(JSON.stringify(await dumpTables(folder))).not.toMatch(traces);
    }),
    { numRuns: runs(8) },
  );
});
