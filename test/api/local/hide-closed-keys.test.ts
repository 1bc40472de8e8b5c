import { describe, expect, test } from '@jest/globals';
import { contentsOf } from '../../../src/api/local/contents-of.ts';
import { hideClosedKeys } from '../../../src/api/local/hide-closed-keys.ts';
import { emptyDirectory } from '../../../src/model/directory.ts';
import type { FieldContent, FieldValue, Issue } from '../../../src/model/issue.ts';
import { anIssue } from '../../support/issue-story.ts';

const access = [{ kind: 'project', id: 'OPS', viewers: ['ada'] }] as const;
const directory = { ...emptyDirectory, access };
const seenBy = (user: string) => ({ asker: { user, admin: false }, directory });
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

const parentOf = (issue: Issue, user = 'bob') =>
  hideClosedKeys([issue], ['parent'], seenBy(user))[0]?.fields.parent;

describe('a key of a project that is closed to the asker', () => {
  test.each<[string, FieldContent, FieldContent]>([
    ['a parent', value('10001', 'OPS-1'), value('(hidden)')],
    ['told by its id only', value('ops-1', 'The epic'), value('(hidden)')],
    ['a text', 'OPS-1', '(hidden)'],
    ['one of several', [value('7', 'WEB-2'), value('8', 'OPS-1')], [value('7', 'WEB-2'), value('(hidden)')]],
    ['several in one text', 'WEB-2, OPS-1', 'WEB-2, (hidden)'],
  ])('is hidden: %s', (_what, content, shown) => {
    expect(parentOf(holding(content))).toEqual(shown);
  });

  test.each<FieldContent>(['WEB-2', 'UTF-8', 'about OPS-1', 'OPS', 12, null])('%j is none', (content) => {
    const issue = holding(content);
    expect(hideClosedKeys([issue], ['parent'], seenBy('bob'))).toEqual([issue]);
  });

  test('is hidden from the history as well', () => {
    const [issue] = hideClosedKeys([holding('WEB-3', [['OPS-1', 'WEB-3']])], ['parent'], seenBy('bob'));
    expect(issue?.changes.at(-1)).toMatchObject({ from: value('(hidden)'), to: value('10002', 'WEB-3') });
  });

  test('leaves fields alone that are not told', () => {
    expect(hideClosedKeys([holding('OPS-1')], ['labels'], seenBy('bob'))[0]?.fields.parent).toBe('OPS-1');
  });
});

test('whoever may see the project reads the very same issues', () => {
  const issues = [holding('OPS-1', [['OPS-1', 'OPS-2']])];
  expect(hideClosedKeys(issues, ['parent'], seenBy('ada'))).toEqual(issues);
  const admin = { asker: { user: 'eve', admin: true }, directory };
  expect(hideClosedKeys(issues, ['parent'], admin)).toBe(issues);
});

describe('the contents of an answer count the projects of keys it names', () => {
  const contents = (issue: Issue, told: { now?: string[]; ever?: string[] }) =>
    contentsOf(
      [issue],
      { now: [], ever: [], asOf: Date.parse('2026-03-03T09:00:00Z'), ...told },
      { directory, issue: async (key) => (key === 'APP-1' ? anIssue('APP-1', created).issue : null) },
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
