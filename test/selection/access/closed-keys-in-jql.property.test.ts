import fc from 'fast-check';
import { expect, test } from '#jest';
import { createPageLists } from '../../../src/api/reporting/load-page.ts';
import type { ReportingApi } from '../../../src/api/reporting/reporting-api.ts';
import { inMemory } from '../../../src/cache/namespace.ts';
import { createMemoryMirror } from '../../../src/mirror/create-mirrors.ts';
import { AppError } from '../../../src/model/error.ts';
import type { Change, FieldContent, FieldValue, Issue } from '../../../src/model/issue.ts';
import { ask, type BrowsePermissions } from '../../../src/model/request.ts';
import { anIssue } from '../../support/issue-story.ts';
import { localReporting } from '../../support/local-reporting.ts';
import { principalOf } from '../../support/principal-of.ts';
import { runs } from '../../support/soak.ts';

const ada = principalOf('ada');
const now = Date.parse('2026-03-18T12:00:00Z');
const keys = ['WEB-1', 'WEB-2', 'APP-3', 'APP-4', 'SEC-5', 'SEC-6'];
const idOf = (key: string) => String(20_000 + Number(key.slice(4)));
/** As it stands in Jira's fields and changelogs. */
const reference = (key: string): FieldValue => ({ id: idOf(key), name: key });

const pages = createPageLists({ stored: inMemory, now: () => now });

interface IssueFacts {
  readonly key: string;
  readonly levelled: boolean;
  readonly names: string | null;
  readonly named: string | null;
}

/** An issue that names others in every field in which Jira does, and in every kind of content. */
function issueOf({ key, levelled, names, named }: IssueFacts): Issue {
  const { issue } = anIssue(key, '2026-03-02T09:00:00Z').moves('Doing', '2026-03-04T09:00:00Z');
  const contents = (other: string): Record<string, FieldContent> => ({
    parent: reference(other),
    subtasks: [reference(other)],
    customfield_10014: other,
    customfield_2: reference(other),
    labels: [{ id: other, name: other }],
    fixVersions: [{ id: `7${idOf(other)}`, name: other }],
    environment: `See ${other}, it is bad; [${other}] https://x.example/browse/${other}`,
    description: `(${other.toLowerCase()})`,
    customfield_3: { id: `8${idOf(other)}`, name: other },
    issuelinks: [{ id: `blocks ${other}`, name: `blocks ${other}` }],
  });
  const empty: Record<string, FieldContent> = {
    ...{ parent: null, subtasks: [], customfield_10014: null, customfield_2: null, labels: [] },
    ...{ fixVersions: [], environment: null, description: null, customfield_3: null, issuelinks: [] },
  };
  const logged = ['parent', 'customfield_2', 'Epic Link', 'Link', 'customfield_3', 'fixVersions', 'labels'];
  const changes: Change[] = logged.map((field, item) => ({
    ...{ entry: '9', item, at: Date.parse('2026-03-05T09:00:00Z'), field, by: 'ada' },
    from:
      named === null
        ? null
        : field === 'Link'
          ? { id: named, name: `This issue blocks ${named}` }
          : reference(named),
    to: names === null || field === 'Link' ? null : reference(names),
  }));
  return {
    ...issue,
    id: idOf(key),
    fields: {
      ...issue.fields,
      ...(names === null ? empty : contents(names)),
      ...(levelled ? { security: { id: '1', name: 'Staff' } } : {}),
    },
    changes: [...issue.changes, ...changes],
  };
}

function worldOf(facts: readonly IssueFacts[], permissions: BrowsePermissions): ReportingApi {
  const tracker = {
    name: 'sample',
    async *entries() {
      const fields = [
        { id: 'customfield_10014', name: 'Epic Link' },
        { id: 'customfield_2', name: 'Picked' },
        { id: 'customfield_3', name: 'Choice' },
      ];
      yield { kind: 'directory', part: { fields } } as const;
      for (const one of facts) yield { kind: 'issue', issue: issueOf(one) } as const;
    },
  } as const;
  const mirror = createMemoryMirror(tracker, () => now);
  const directoryFor = async () => ({ ...(await mirror.directory()), permissions });
  return localReporting({ ...mirror, directoryFor }, () => now, { pages });
}

const equal = [
  'parent',
  'subtasks',
  'customfield_2',
  'Picked',
  'labels',
  'fixVersion',
  'Choice',
  '"Epic Link"',
  'issuelinks',
];
const texts = ['environment', 'description', 'text', 'textfields'];
const past = ['parent', 'Picked', '"Epic Link"', 'Choice', 'fixVersion', 'subtasks', 'issuelinks'];
/** Every operator, with a name in the place of a value. */
const queries: readonly ((name: string) => string)[] = [
  ...['key', ...equal].flatMap((field) => [
    (name: string) => `${field} = ${name}`,
    (name: string) => `${field} != ${name}`,
    (name: string) => `${field} in ("${name}")`,
    (name: string) => `${field} not in (${name})`,
    (name: string) => `${field} < ${name}`,
    (name: string) => `${field} >= ${name}`,
    (name: string) => `NOT ${field} = "${name}"`,
  ]),
  ...texts.flatMap((field) => [
    (name: string) => `${field} ~ "${name}"`,
    (name: string) => `${field} !~ "${name}"`,
    (name: string) => `${field} ~ "\\"${name}\\""`,
  ]),
  ...past.flatMap((field) => [
    (name: string) => `${field} was ${name}`,
    (name: string) => `${field} was not "${name}"`,
    (name: string) => `${field} was in (${name})`,
    (name: string) => `${field} was not in (${name})`,
    (name: string) => `${field} was ${name} during ("2026-03-01", "2026-03-17") BY ada`,
    (name: string) => `${field} changed from ${name}`,
    (name: string) => `${field} changed to ${name} after "2026-03-01"`,
  ]),
  (name) => `status = Doing AND parent = ${name} ORDER BY parent`,
  (name) => `issue in linkedIssues(${name})`,
  (name) => `issue not in linkedIssues("${name}", blocks)`,
  (name) => `issue in updatedBy(${name})`,
  (name) => `issuelinks = "blocks ${name}"`,
  (name) => `issuelinks was "blocks ${name}"`,
];

const others = fc.option(fc.constantFrom(...keys, 'GHOST-7'));
const anyWorld = fc.tuple(
  ...keys.map((key) =>
    fc.record({ key: fc.constant(key), levelled: fc.boolean(), names: others, named: others }),
  ),
);
const anyPermissions = fc
  .record({
    projects: fc.subarray(['WEB', 'APP', 'SEC', 'GHOST']),
    issues: fc.subarray(keys),
  })
  .map(
    ({ projects, issues }): BrowsePermissions => ({
      projects: new Set(projects),
      closedProjects: new Set(['WEB', 'APP', 'SEC'].filter((key) => !projects.includes(key))),
      issues: new Set(issues),
      unasked: 0,
    }),
  );

const isOpen = (key: string, facts: readonly IssueFacts[], permissions: BrowsePermissions) =>
  permissions.issues.has(key) ||
  (permissions.projects.has(key.slice(0, 3)) && !facts.some((one) => one.key === key && one.levelled));

async function answer(
  reporting: ReportingApi,
  name: string,
  query: (name: string) => string,
): Promise<string> {
  const selection = { by: 'jql', jql: query(name) } as const;
  try {
    const { issues } = await reporting.report(
      ask({ principal: ada, reportType: 'statusDuration', selection }),
    );
    return issues.map(({ key }) => key).join();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return [error.message, ...error.details].join('\n').replaceAll(name, '?');
  }
}

test('a query that names the key or the id of a closed issue answers like one that names what never was', async () => {
  await fc.assert(
    fc.asyncProperty(
      anyWorld,
      anyPermissions,
      fc.constantFrom(...keys),
      fc.constantFrom(...queries),
      async (facts, permissions, key, query) => {
        fc.pre(!isOpen(key, facts, permissions));
        const reporting = worldOf(facts, permissions);
        const never = `${key.slice(0, 3)}-8${key.slice(4)}`;
        expect(await answer(reporting, key, query)).toBe(await answer(reporting, never, query));
        expect(await answer(reporting, idOf(key), query)).toBe(await answer(reporting, '88888', query));
      },
    ),
    { numRuns: runs(1_500) },
  );
});

test('what is open is found by every field that names it', async () => {
  const facts = keys.map((key) => ({
    key,
    levelled: false,
    names: key === 'WEB-1' ? 'WEB-2' : 'SEC-5',
    named: null,
  }));
  const permissions: BrowsePermissions = {
    ...{ projects: new Set(['WEB']), closedProjects: new Set(['APP', 'SEC']) },
    ...{ issues: new Set<string>(), unasked: 0 },
  };
  const reporting = worldOf(facts, permissions);
  for (const field of equal.slice(0, 8)) {
    expect([field, await answer(reporting, 'WEB-2', (name) => `${field} = ${name}`)]).toEqual([
      field,
      'WEB-1',
    ]);
  }
  for (const field of texts.slice(0, 2)) {
    expect([field, await answer(reporting, 'WEB-2', (name) => `${field} ~ "${name}"`)]).toEqual([
      field,
      'WEB-1',
    ]);
  }
  for (const field of past.slice(0, 2)) {
    expect([field, await answer(reporting, 'WEB-2', (name) => `${field} was ${name}`)]).toEqual([
      field,
      'WEB-1',
    ]);
  }
});

test('linked issues are those that can be seen, by key and by id', async () => {
  const facts = keys.map((key) => ({
    ...{ key, levelled: false, named: null },
    names: key === 'WEB-1' ? 'WEB-2' : key === 'WEB-2' ? 'SEC-5' : null,
  }));
  const permissions: BrowsePermissions = {
    ...{ projects: new Set(['WEB']), closedProjects: new Set(['APP', 'SEC']) },
    ...{ issues: new Set<string>(), unasked: 0 },
  };
  const reporting = worldOf(facts, permissions);
  const linked = (name: string) => `issue in linkedIssues(${name})`;
  expect(await answer(reporting, 'WEB-1', linked)).toBe('WEB-2');
  expect(await answer(reporting, idOf('WEB-1'), linked)).toBe('WEB-2');
  expect(await answer(reporting, 'WEB-2', linked)).toBe('');
});

test('an order by what is hidden does not show what it is', async () => {
  const facts = ['WEB-1', 'WEB-2', 'SEC-5', 'SEC-6'].map((key) => ({
    ...{ key, levelled: false, named: null },
    names: key === 'WEB-1' ? 'SEC-6' : key === 'WEB-2' ? 'SEC-5' : null,
  }));
  const permissions: BrowsePermissions = {
    ...{ projects: new Set(['WEB']), closedProjects: new Set(['SEC']) },
    ...{ issues: new Set<string>(), unasked: 0 },
  };
  expect(await answer(worldOf(facts, permissions), '', () => 'project = WEB ORDER BY parent')).toBe(
    'WEB-1,WEB-2',
  );
});
