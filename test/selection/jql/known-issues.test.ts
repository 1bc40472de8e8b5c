import { expect, test } from '#jest';
import { ASK, YES } from '../../../src/engine/columns/row-predicates.ts';
import { tableOf } from '../../../src/mirror/issue-table.ts';
import { AppError } from '../../../src/model/error.ts';
import type { FieldContent } from '../../../src/model/issue.ts';
import { compileJql } from '../../../src/selection/jql/compile-jql.ts';
import { aWorld, issueWith, knownOf, type World } from './a-world.ts';
import { columnTruth, found, refusal } from './ask.ts';

const world = aWorld({
  issues: [
    issueWith('WEB-1'),
    issueWith('APP-1', { customfield_10016: 3 }),
    issueWith('web-2', { parent: { id: '77', name: 'APP-1' } }),
    issueWith('OPS-9', { customfield_10020: { id: '4', name: 'Sprint 4' } }),
    issueWith('OPS-007'),
  ],
});

/** The keys found, or what the query is refused with. */
function answer(jql: string): unknown {
  try {
    return found(jql, world);
  } catch (error) {
    if (error instanceof AppError) return error.details;
    throw error;
  }
}

const unknownKey = 'is not an issue that is known here. Try: the key of an issue.';

test.each([
  ['project = OPS', ['OPS-9', 'OPS-007']],
  ['project = "Project APP"', ['APP-1']],
  ['project = p-web', ['WEB-1', 'web-2']],
  [
    'project = NONE',
    ["customjql: 'NONE' at position 10 is not a project that is known here. Try: APP, OPS, WEB."],
  ],
  ['key = OPS-9', ['OPS-9']],
  ['key = WEB-2', ['web-2']],
  ['key = ops-007', ['OPS-007']],
  ['key != web-2', ['WEB-1', 'APP-1', 'OPS-9', 'OPS-007']],
  ['key > WEB-1', ['web-2']],
  ['key <= OPS-9', ['OPS-9', 'OPS-007']],
  ['key > OPS-007', ['OPS-9']],
  ['key >= OPS-007', ['OPS-9', 'OPS-007']],
  ['key = OPS-10', [`customjql: 'OPS-10' at position 6 ${unknownKey}`]],
  ['key = OPS-7', [`customjql: 'OPS-7' at position 6 ${unknownKey}`]],
  ['parent = 77', ['web-2']],
  ['cf[10016] = 3', ['APP-1']],
  ['cf[10020] = "Sprint 4"', ['OPS-9']],
])('%s is known by what the issues hold', (jql, expected) => {
  expect(answer(jql)).toEqual(expected);
});

test('what is hidden from the principal is neither known nor found by', () => {
  const hidden = { id: '(hidden)', name: '(hidden)' };
  const issues = [
    issueWith('WEB-1', { parent: { id: '77', name: 'HR-1' }, labels: [{ id: 'HR-1', name: 'HR-1' }] }),
    issueWith('WEB-2', { parent: { id: '78', name: 'WEB-1' }, labels: [{ id: 'web', name: 'web' }] }),
  ];
  const whole = aWorld({ issues });
  const redact = (content: FieldContent) => (JSON.stringify(content).includes('HR-1') ? hidden : content);
  const world = { ...whole, redact: new Map(['parent', 'labels'].map((field) => [field, redact])) };
  const rowsFound = (jql: string) => {
    const query = compileJql(jql, world);
    return issues.filter((issue) => columnTruth(issue, query, world) === YES).map(({ key }) => key);
  };
  expect(found('parent = 77', whole)).toEqual(['WEB-1']);
  expect(refusal('parent = 77', world)).toContain("'77' at position 9 is not an issue that is known here");
  expect(rowsFound('parent = 78')).toEqual(['WEB-2']);
  expect(rowsFound('parent = "(hidden)"')).toEqual(['WEB-1']);
  expect(rowsFound('labels = HR-1')).toEqual([]);
  expect(rowsFound('labels = "(hidden)" and labels != web')).toEqual(['WEB-1']);
});

test('a field that no column holds yet is asked for by name, and one that no issue has is not', () => {
  const issues = [issueWith('WEB-1', { labels: [{ id: 'web', name: 'web' }] })];
  const { columns } = tableOf(issues);
  const missing: string[] = [];
  const hasColumn = (field: string) => {
    if (!columns.hasField(field)) missing.push(field);
    return columns.hasField(field);
  };
  const world = { ...aWorld({ issues }), columns, hasColumn, known: knownOf(columns) };
  for (const jql of ['labels = web', 'order by labels', 'key = WEB-1 or labels is empty']) {
    compileJql(jql, world);
    expect(new Set(missing.splice(0))).toEqual(new Set(['labels']));
  }
  expect(rowsOf('component is empty or sprint is not empty', world)).toEqual([YES]);
  expect(rowsOf('summary ~ web', world)).toEqual([ASK]);
  expect(missing).toEqual([]);

  function rowsOf(jql: string, other: World): number[] {
    return issues.map((issue) => columnTruth(issue, compileJql(jql, other), other));
  }
});
