import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, test } from '#jest';
import type { ReportingApi } from '../../../src/api/reporting/reporting-api.ts';
import { reports } from '../../../src/engine/reports/index.ts';
import { createMemoryMirror } from '../../../src/mirror/create-mirrors.ts';
import type { Mirror } from '../../../src/mirror/mirror.ts';
import { AppError } from '../../../src/model/error.ts';
import type { FieldContent, Issue } from '../../../src/model/issue.ts';
import {
  ask,
  type BrowsePermissions,
  type Principal,
  type ReportRequest,
} from '../../../src/model/request.ts';
import { anIssue } from '../../support/issue-story.ts';
import { localReporting } from '../../support/local-reporting.ts';
import { principalOf } from '../../support/principal-of.ts';
import { aStatus } from '../../support/small-world.ts';
import { runs } from '../../support/soak.ts';

const ada = principalOf('ada');
const root = principalOf('root', 'admin');
const nobody = principalOf('');
const now = Date.parse('2026-03-18T12:00:00Z');
const day = '2026-03-02T09:00:00Z';
const nothing: BrowsePermissions = {
  projects: new Set(),
  closedProjects: new Set(),
  issues: new Set(),
  unasked: 0,
};

interface IssueFacts {
  readonly key: string;
  readonly levelled: boolean;
  readonly parent: string | null;
  readonly link: string | null;
}

/** Whatever belongs to an issue bears its key, so that any trace of it can be found. */
function issueOf({ key, levelled, parent, link }: IssueFacts): Issue {
  const named = (what: string) => ({ id: `${what} of ${key}`, name: `${what} of ${key}` });
  const story = anIssue(key, day, `Status of ${key}`)
    .moves(`Second of ${key}`, '2026-03-04T09:00:00Z', { by: `Actor of ${key}` })
    .changes('parent', link, parent, '2026-03-05T09:00:00Z')
    .changes('assignee', `Former of ${key}`, `Person of ${key}`, '2026-03-06T09:00:00Z')
    .changes(`field of ${key}`, null, `Value of ${key}`, '2026-03-07T09:00:00Z').issue;
  const fields: Record<string, FieldContent> = {
    ...story.fields,
    reporter: named('Reporter'),
    sprint: [named('Sprint')],
    ...(levelled ? { security: named('Level') } : {}),
    links: link === null ? [] : [{ id: link, name: link }],
  };
  return { ...story, assignee: named('Person'), fields };
}

function worldOf(
  facts: readonly IssueFacts[],
  permissionsFor: (principal: Principal) => BrowsePermissions,
): ReportingApi {
  const people = ['Person', 'Former', 'Reporter', 'Actor'];
  const issues = facts.map(issueOf);
  const tracker = {
    name: 'sample',
    async *entries() {
      const statuses = facts.flatMap(({ key }) => [
        aStatus(`Status of ${key}`),
        aStatus(`Second of ${key}`),
        aStatus(`Own status of ${key}`, { scope: key.slice(0, key.indexOf('-')) }),
      ]);
      const users = facts.flatMap(({ key }) =>
        people.map((what) => ({ id: `${what} of ${key}`, name: `${what} of ${key}` })),
      );
      yield { kind: 'statuses', statuses, list: null } as const;
      yield { kind: 'users', users } as const;
      const part = {
        fields: facts.map(({ key }) => ({ id: `field of ${key}`, name: `Field of ${key}` })),
        sprints: facts.map(({ key }) => ({
          ...{ id: `Sprint of ${key}`, name: `Sprint of ${key}`, state: 'active' as const },
          ...{ start: null, end: null, completed: null, board: null },
        })),
      };
      yield { kind: 'directory', part } as const;
      for (const issue of issues) yield { kind: 'issue', issue } as const;
    },
  } as const;
  return localReporting(
    seenThrough(
      createMemoryMirror(tracker, () => now),
      async (principal) => permissionsFor(principal),
    ),
    () => now,
  );
}

function seenThrough(
  mirror: Mirror,
  permissionsFor: (principal: Principal) => Promise<BrowsePermissions>,
): Mirror {
  return {
    ...mirror,
    directoryFor: async (principal) => ({
      ...(await mirror.directory()),
      permissions: await permissionsFor(principal),
    }),
  };
}

const everyIssue = { by: 'jql', jql: '' } as const;
const jql = (text: string) => ({ selection: { by: 'jql', jql: text } }) as const;
const keyed: Partial<ReportRequest> = {
  fields: ['parent', 'links', 'assignee', 'reporter', 'sprint'],
  historyFields: ['parent', 'assignee'],
  metrics: [],
};

/** All that somebody can be told who names nothing: figures, lists, and what is allowed instead of what is wrong. */
async function everythingShown(reporting: ReportingApi, principal: Principal): Promise<string> {
  const questions: Partial<ReportRequest>[] = [
    ...reports
      .filter(({ id, shape }) => shape === 'issue' && id !== 'durationBetweenStatuses')
      .map(({ id }) => ({ ...keyed, reportType: id })),
    { ...keyed, groupBy: ['parent', 'links'] },
    { statistic: { type: 'sum', denominator: 'all', deviation: 'population', percentile: 50 } },
    ...['status = nope', 'project = nope', 'assignee = nope', 'sprint = nope', 'nope = 1'].map(jql),
    ...['status was not empty ORDER BY parent', 'assignee = currentUser()'].map(jql),
    { fields: ['nope'] },
    { historyFields: ['nope'], reportType: 'anyFieldDuration' },
    { statuses: ['nope'] },
    { selection: { by: 'project', project: 'nope' } },
    { selection: { by: 'user', user: 'nope' } },
    { selection: { by: 'sprint', id: 'nope' } },
  ];
  const outputs: unknown[] = [];
  const note = async (what: () => Promise<unknown>) => {
    outputs.push(
      await what().catch((error: unknown) => {
        if (error instanceof AppError) return [error.message, error.details];
        throw error;
      }),
    );
  };
  for (const question of questions) {
    const request = ask({ principal, reportType: 'statusDuration', selection: everyIssue, ...question });
    await note(() => reporting.report(request));
    await note(() => reporting.count(request));
    await note(() => reporting.audienceScope(request));
    if (request.statistic !== null) continue;
    await note(async () => {
      const { list, lines } = await reporting.open(request, []);
      const all: unknown[] = [list];
      for await (const part of lines()) all.push(part);
      return all;
    });
  }
  await note(() => reporting.statuses(principal));
  await note(() => reporting.browseScope(principal));
  await note(() => reporting.exampleKeys(principal, 9));
  return JSON.stringify(outputs);
}

const allOf = (reporting: ReportingApi, principal: Principal) =>
  reporting
    .report(ask({ principal, reportType: 'statusDuration', selection: everyIssue }))
    .then(({ issues }) => issues.map(({ key }) => key).toSorted());

const keys = ['WEB-1', 'WEB-2', 'APP-3', 'APP-4', 'SEC-5', 'SEC-6'];
const anyWorld = fc.tuple(
  ...keys.map((key) =>
    fc.record({
      key: fc.constant(key),
      levelled: fc.boolean(),
      parent: fc.option(fc.constantFrom(...keys, 'GHOST-7')),
      link: fc.option(fc.constantFrom(...keys, 'GHOST-7')),
    }),
  ),
);
const anyPermissions = fc.record({
  projects: fc.subarray(['WEB', 'APP', 'SEC']).map((some) => new Set(some)),
  closedProjects: fc.constant(new Set<string>()),
  issues: fc.subarray(keys).map((some) => new Set(some)),
  unasked: fc.constant(0),
});

test('whatever there is and whoever asks: of what the tracker does not open nothing is told', async () => {
  await fc.assert(
    fc.asyncProperty(anyWorld, anyPermissions, async (facts, permissions) => {
      const reporting = worldOf(facts, () => permissions);
      const projectOf = (key: string) => key.slice(0, key.indexOf('-'));
      const seen = facts
        .filter(
          ({ key, levelled }) =>
            (permissions.projects.has(projectOf(key)) && !levelled) || permissions.issues.has(key),
        )
        .map(({ key }) => key);
      const text = (await everythingShown(reporting, ada)).replace(
        // Permissions are shown to the person they are of.
        JSON.stringify([...permissions.issues]),
        '',
      );
      const traces = [...keys, 'GHOST-7'].filter((key) => !seen.includes(key) && text.includes(key));
      expect(traces).toEqual([]);
      const projects = ['WEB', 'APP', 'SEC', 'GHOST'].filter(
        (key) => !permissions.projects.has(key) && !seen.some((one) => projectOf(one) === key),
      );
      expect(projects.filter((key) => new RegExp(`\\b${key}\\b`).test(text))).toEqual([]);
      expect(await allOf(reporting, ada)).toEqual(seen.toSorted());
      const count = ask({ principal: ada, reportType: 'statusDuration', selection: everyIssue });
      expect(await reporting.count(count)).toBe(seen.length);
    }),
    { numRuns: runs(60) },
  );
});

test('what is closed reads like what never was, however it is named', async () => {
  await fc.assert(
    fc.asyncProperty(anyWorld, anyPermissions, fc.constantFrom(...keys), async (facts, permissions, key) => {
      const reporting = worldOf(facts, () => permissions);
      const levelled = facts.some((one) => one.key === key && one.levelled);
      const isOpen = (permissions.projects.has(key.slice(0, 3)) && !levelled) || permissions.issues.has(key);
      fc.pre(!isOpen);
      const answer = (named: string, question: (name: string) => Partial<ReportRequest>) =>
        reporting
          .report(
            ask({ principal: ada, reportType: 'statusDuration', selection: everyIssue, ...question(named) }),
          )
          .then(
            (table) => JSON.stringify({ ...table, provenance: null }),
            (error) => JSON.stringify([error.code, error.message, error.details]),
          )
          .then((text) => text.replaceAll(named, '?'));
      const questions: ((name: string) => Partial<ReportRequest>)[] = [
        (name) => ({ selection: { by: 'keys', keys: [name] } }),
        (name) => jql(`key = ${name}`),
        (name) => ({ selection: { by: 'user', user: `Person of ${name}` } }),
        (name) => ({ selection: { by: 'sprint', id: `Sprint of ${name}` } }),
        (name) => ({ statuses: [`Status of ${name}`] }),
        (name) => ({ fields: [`Field of ${name}`] }),
        (name) => jql(`status = "Status of ${name}"`),
      ];
      for (const question of questions) {
        expect(await answer(key, question)).toBe(await answer(`${key}99`, question));
      }
    }),
    { numRuns: runs(60) },
  );
});

const plain = (key: string, more: Partial<IssueFacts> = {}): IssueFacts => ({
  ...{ key, levelled: false, parent: null, link: null },
  ...more,
});

describe('nobody in particular', () => {
  const reporting = worldOf([plain('WEB-1'), plain('APP-2')], ({ account: user }) =>
    user === 'ada' ? { ...nothing, projects: new Set(['WEB']) } : nothing,
  );

  test('is shown no issue and no example, and may ask all the same', async () => {
    expect(await allOf(reporting, nobody)).toEqual([]);
    expect(await reporting.exampleKeys(nobody, 2)).toEqual([]);
    const count = ask({ principal: nobody, reportType: 'statusDuration', ...jql('created >= -1d') });
    expect(await reporting.count(count)).toBe(0);
  });

  test('is another than somebody the tracker opens something to, and than an admin', async () => {
    expect(await allOf(reporting, ada)).toEqual(['WEB-1']);
    expect(await reporting.exampleKeys(ada, 2)).toEqual(['WEB-1']);
    expect(await allOf(reporting, root)).toEqual(['APP-2', 'WEB-1']);
  });
});

test('the project of a key that is told counts, though no issue of it is here', async () => {
  const reporting = worldOf([plain('WEB-1', { parent: 'GHOST-7' })], () => ({
    ...nothing,
    projects: new Set(['WEB', 'GHOST']),
  }));
  const request = ask({
    principal: ada,
    reportType: 'statusDuration',
    selection: everyIssue,
    fields: ['parent'],
  });
  expect((await reporting.audienceScope(request))?.projects).toEqual(['GHOST', 'WEB']);
});

test('issues that the tracker could not be asked about are counted, and the answer is not complete', async () => {
  const reporting = worldOf([plain('WEB-1'), plain('SEC-2')], ({ account: user }) => ({
    ...{ ...nothing, projects: new Set(['WEB']), unasked: user === 'ada' ? 7 : 0 },
  }));
  const answerTo = async (principal: Principal) => {
    const request = ask({ principal, reportType: 'statusDuration', selection: everyIssue });
    const { complete, unasked = null } = (await reporting.report(request)).provenance;
    return { complete, unasked };
  };
  expect(await answerTo(ada)).toEqual({ complete: false, unasked: 7 });
  expect(await answerTo(principalOf('bob'))).toEqual({ complete: true, unasked: null });
  expect(await answerTo(root)).toEqual({ complete: true, unasked: null });
});

test('many issues that moved last and are closed do not push out the examples', async () => {
  const closed = Array.from({ length: 1_500 }, (_, i) => plain(`SEC-${i + 10}`));
  const reporting = worldOf([plain('WEB-1'), ...closed], () => ({ ...nothing, projects: new Set(['WEB']) }));
  expect(await reporting.exampleKeys(ada, 2)).toEqual(['WEB-1']);
});

test('where the tracker cannot be asked nothing is shown, not even less', async () => {
  const down = new AppError('tracker-unavailable', 'The tracker cannot be asked.');
  const mirror = createMemoryMirror(
    {
      name: 'sample',
      async *entries() {
        yield { kind: 'issue', issue: issueOf(plain('WEB-1')) } as const;
      },
    },
    () => now,
  );
  const reporting = localReporting(
    seenThrough(mirror, async () => {
      throw down;
    }),
    () => now,
  );
  const one = ask({
    principal: ada,
    reportType: 'statusDuration',
    selection: { by: 'keys', keys: ['WEB-1'] },
  });
  for (const request of [
    () => reporting.report(one),
    () => reporting.count(one),
    () => reporting.audienceScope(one),
    () => reporting.open(one, []),
    () => reporting.check(one),
    () => reporting.statuses(ada),
    () => reporting.browseScope(ada),
    () => reporting.exampleKeys(ada, 1),
  ]) {
    await expect(request()).rejects.toBe(down);
  }
});

test('a single issue is told while the first fill goes on, a list is not', async () => {
  const filling = new AppError('not-filled-yet', 'The first fill goes on.');
  const mirror = createMemoryMirror(
    {
      name: 'sample',
      async *entries() {
        yield { kind: 'issue', issue: issueOf(plain('WEB-1')) } as const;
        yield { kind: 'issue', issue: issueOf(plain('SEC-2')) } as const;
      },
    },
    () => now,
  );
  const reporting = localReporting(
    {
      ...seenThrough(mirror, async () => ({ ...nothing, projects: new Set(['WEB']) })),
      table: async () => {
        throw filling;
      },
    },
    () => now,
  );
  const of = (selection: ReportRequest['selection']) =>
    reporting.report(ask({ principal: ada, reportType: 'statusDuration', selection }));
  expect((await of({ by: 'keys', keys: ['WEB-1'] })).issues.map(({ key }) => key)).toEqual(['WEB-1']);
  await expect(of({ by: 'keys', keys: ['SEC-2'] })).rejects.toMatchObject({
    code: 'not-found',
    reason: 'unknown-issue',
  });
  await expect(of(everyIssue)).rejects.toBe(filling);
  expect(await reporting.exampleKeys(ada, 3)).toEqual(['WEB-1']);
});

test('nobody but what looks through the rights of the principal reads issues of the mirror', () => {
  const src = fileURLToPath(new URL('../../../src', import.meta.url));
  const readers = readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !/^(mirror|store|tracker)\//.test(file))
    .filter((file) =>
      /mirror\(?\)?\)?\.(issue|table|recentKeys|directory)\(/.test(readFileSync(join(src, file), 'utf8')),
    );
  expect(readers.toSorted()).toEqual([
    'api/reporting/create-local-reporting.ts',
    'compose/build-apis.ts',
    'selection/access/query-context.ts',
  ]);
});
