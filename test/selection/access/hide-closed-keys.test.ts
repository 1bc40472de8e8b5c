import { describe, expect, test } from '#jest';
import { emptyDirectory, type PrincipalsDirectory } from '../../../src/model/directory.ts';
import type { FieldContent, FieldValue, Issue } from '../../../src/model/issue.ts';
import { audienceScopeOf } from '../../../src/selection/access/audience-scope.ts';

import { keysAmong } from '../../../src/selection/access/hide-closed-keys.ts';
import { loadedIssues } from '../../../src/selection/access/selected-issues.ts';
import { anIssue } from '../../support/issue-story.ts';
import { principalOf } from '../../support/principal-of.ts';

const access = [{ kind: 'project', id: 'OPS', viewers: ['ada'] }] as const;
const directory: PrincipalsDirectory = { ...emptyDirectory, access, permissions: null };
const leveled = anIssue('WEB-7', '2026-03-01T09:00:00Z').changes(
  'security',
  null,
  'board',
  '2026-03-01T09:00:00Z',
).issue;
/** WEB-7 has a level, was OLD-1 once, and is the only issue that is looked up. */
const issue = async (key: string) => (['WEB-7', 'OLD-1'].includes(key) ? leveled : null);
const pace = () => null;
const seenBy = (user: string) => ({ principal: principalOf(user), directory, issue, pace });
const created = '2026-03-02T09:00:00Z';
const value = (id: string, name = id): FieldValue => ({ id, name });

function holding(content: FieldContent, history: readonly (readonly [string, string])[] = []): Issue {
  const { issue } = anIssue('WEB-1', created);
  const changes = history.map(([from, to], item) => ({
    ...{ entry: '1', item, at: issue.created + item, field: 'parent', by: null },
    ...{ from: value('10001', from), to: value('10002', to) },
  }));
  return { ...issue, fields: { ...issue.fields, parent: content }, changes: [...issue.changes, ...changes] };
}

const parentOf = async (child: Issue, user = 'bob') =>
  (await keysAmong([child], seenBy(user)).read([child], ['parent']))[0]?.fields.parent;

describe('a key of a project that is closed to the principal', () => {
  test.each<[string, FieldContent, FieldContent]>([
    ['a parent', value('10001', 'OPS-1'), value('(hidden)')],
    ['told by its id only', value('ops-1', 'The epic'), value('(hidden)')],
    ['a text', 'OPS-1', '(hidden)'],
    ['one of several', [value('7', 'WEB-2'), value('8', 'OPS-1')], [value('7', 'WEB-2'), value('(hidden)')]],
    ['several in one text', 'WEB-2, OPS-1', 'WEB-2, (hidden)'],
    ['in a sentence', 'about OPS-1, [ops-2]', 'about (hidden), [(hidden)]'],
    ['as a link tells it', value('OPS-1', 'This issue blocks OPS-1'), value('This issue blocks (hidden)')],
  ])('is hidden: %s', async (_what, content, shown) => {
    expect(await parentOf(holding(content))).toEqual(shown);
  });

  test.each<FieldContent>(['WEB-2', 'UTF-8', 'OPS-0', 'OPS-1x', 'OPS', 12, null])(
    '%j is none',
    async (content) => {
      expect(await parentOf(holding(content))).toEqual(content);
    },
  );

  test('is hidden from the history as well', async () => {
    const child = holding('WEB-3', [['OPS-1', 'WEB-3']]);
    const [told] = await keysAmong([child], seenBy('bob')).read([child], ['parent']);
    expect(told?.changes.at(-1)).toMatchObject({ from: value('(hidden)'), to: value('10002', 'WEB-3') });
  });

  test('leaves fields alone that are not told', async () => {
    const [told] = await keysAmong([], seenBy('bob')).read([holding('OPS-1')], ['labels']);
    expect(told?.fields.parent).toBe('OPS-1');
  });
});

describe('a key of an issue that is closed to the principal in a project that is open', () => {
  test.each(['WEB-7', 'OLD-1'])('is hidden, an earlier key of it as well: %s', async (key) => {
    expect(await parentOf(holding(key))).toBe('(hidden)');
    const child = holding('WEB-3', [[key, 'WEB-3']]);
    const [told] = await keysAmong([child], seenBy('bob')).read([child], ['parent']);
    expect(told?.changes.at(-1)?.from).toEqual(value('(hidden)'));
  });

  test('is told to its assignee', async () => {
    const scene = { ...seenBy('bob'), issue: async () => ({ ...leveled, assignee: value('bob') }) };
    const children = [holding('WEB-7')];
    expect(await keysAmong(children, scene).read(children, ['parent'])).toBe(children);
  });
});

describe('where the tracker decides', () => {
  const permissions = {
    ...{ projects: new Set(['WEB']), closedProjects: new Set<string>() },
    ...{ issues: new Set<string>(), unasked: 0 },
  };
  const seen = (issues: readonly string[] = []) => ({
    ...seenBy('ada'),
    directory: { ...directory, permissions: { ...permissions, issues: new Set(issues) } },
  });
  const parentSeen = async (content: FieldContent, levelled?: readonly string[]) =>
    (await keysAmong([], seen(levelled)).read([holding(content)], ['parent']))[0]?.fields.parent;

  test('a key of a project it does not name is hidden, whatever the rules say and though the project is unknown', async () => {
    expect(await parentSeen('OPS-1')).toBe('(hidden)');
    expect(await parentSeen('GHOST-1')).toBe('(hidden)');
    expect(await parentSeen('web-2, GHOST-1')).toBe('web-2, (hidden)');
  });

  test('a key of an issue with a level is hidden unless it names the issue', async () => {
    expect(await parentSeen('WEB-7')).toBe('(hidden)');
    expect(await parentSeen('WEB-7', ['WEB-7'])).toBe('WEB-7');
  });
});

describe('a field that holds something else', () => {
  const permissions = {
    ...{ projects: new Set(['WEB']), closedProjects: new Set(['OPS']) },
    ...{ issues: new Set<string>(), unasked: 0 },
  };
  const here = new Map(['OPS-1', 'WEB-7'].map((key) => [key, { ...leveled, key, id: `id of ${key}` }]));
  const scene = {
    principal: principalOf('bob'),
    directory: { ...directory, fields: [{ id: 'customfield_9', name: 'Linked Issues' }], permissions },
    issue: async (key: string) => here.get(key) ?? null,
    pace,
  };
  const shown = async (content: FieldContent, field = 'labels', others: readonly Issue[] = []) => {
    const { issue: plain } = anIssue('WEB-1', created);
    const holding = { ...plain, fields: { ...plain.fields, [field]: content } };
    const [told] = await keysAmong(others, scene).read([holding, ...others], [field]);
    return told?.fields[field];
  };

  test.each<FieldContent>([
    [value('UTF-8'), value('COVID-19'), value('SECRET-1')],
    [{ id: '1', name: 'RELEASE-7' }],
    { id: '7', name: 'GPT-4' },
    'ISO-9001 and SHA-256',
    'OPS-2',
  ])('keeps what only looks like a key: %j', async (content) => {
    expect(await shown(content)).toEqual(content);
  });

  test.each<[FieldContent, FieldContent]>([
    ['See OPS-1, it is bad', 'See (hidden), it is bad'],
    ['[ops-1];WEB-7 https://x.example/browse/OPS-1', '[(hidden)];(hidden) https://x.example/browse/(hidden)'],
    [
      [value('OPS-1'), value('UTF-8')],
      [value('(hidden)'), value('UTF-8')],
    ],
    [
      { id: '7', name: 'after OPS-1' },
      { id: '7', name: 'after (hidden)' },
    ],
    [
      { id: 'id of OPS-1', name: 'OPS-1' },
      { id: '(hidden)', name: '(hidden)' },
    ],
    ['OPS-12, OPS-1x, XOPS-1', 'OPS-12, OPS-1x, XOPS-1'],
  ])('hides the key of an issue that is here and closed: %j', async (content, expected) => {
    expect(await shown(content, 'customfield_1')).toEqual(expected);
  });

  test('holds issues if it is called so', async () => {
    expect(await shown(value('5', 'GHOST-1'), 'customfield_9')).toEqual(value('(hidden)'));
  });

  test('holds issues if one of its values is an issue by key and id', async () => {
    const seen = { ...anIssue('WEB-2', created).issue, id: '10002' };
    const other = { ...seen, key: 'WEB-3', fields: { customfield_8: value('10002', 'WEB-2') } };
    expect(await shown(value('5', 'GHOST-1'), 'customfield_8')).toEqual(value('5', 'GHOST-1'));
    expect(await shown(value('5', 'GHOST-1'), 'customfield_8', [seen, other])).toEqual(value('(hidden)'));
  });

  test('what an issue is called is told with it', async () => {
    expect(await shown('See OPS-1', 'summary')).toBe('See OPS-1');
  });
});

test('whoever may see the project reads the very same issues', async () => {
  const issues = [holding('OPS-1', [['OPS-1', 'OPS-2']])];
  expect(await keysAmong(issues, seenBy('ada')).read(issues, ['parent'])).toBe(issues);
  const admin = { principal: principalOf('eve', 'admin'), directory, issue, pace };
  expect(await keysAmong(issues, admin).read(issues, ['parent'])).toBe(issues);
});

describe('the contents of an answer count the projects of keys it names', () => {
  const contents = (issue: Issue, reported: { now?: string[]; ever?: string[] }) =>
    audienceScopeOf(
      loadedIssues([issue], 0),
      { now: [], ever: [], asOf: Date.parse('2026-03-03T09:00:00Z'), ...reported },
      {
        context: {
          ...{ directory, pace },
          issue: async (key) => (key === 'APP-1' ? anIssue('APP-1', created).issue : null),
        },
        keys: keysAmong([issue], seenBy('ada')),
        read: async (issues) => issues,
      },
    );

  test.each<[FieldContent, string[]]>([
    ['OPS-1', ['OPS', 'WEB']],
    ['APP-1', ['APP', 'WEB']],
    ['UTF-8', ['WEB']],
    ['(hidden)', ['WEB']],
  ])('%j', async (parent, projects) => {
    expect(await contents(holding(parent), { now: ['parent'] })).toEqual({
      projects,
      issues: 1,
      withLevel: 0,
    });
  });

  test('of fields that are told only, with their history only where that is told', async () => {
    const issue = holding('WEB-3', [['OPS-1', 'WEB-3']]);
    expect((await contents(issue, {})).projects).toEqual(['WEB']);
    expect((await contents(issue, { now: ['parent'] })).projects).toEqual(['WEB']);
    expect((await contents(issue, { ever: ['parent'] })).projects).toEqual(['OPS', 'WEB']);
  });
});
