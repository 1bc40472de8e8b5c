import { expect, test } from '#jest';
import { IssueColumns } from '../../../src/engine/columns/issue-columns.ts';
import { historySource, rowContent } from '../../../src/engine/measure/own-cells.ts';
import type { Issue } from '../../../src/model/issue.ts';
import { anIssue } from '../../support/issue-story.ts';

/** More than codes of 16 bits can tell apart. */
const MANY = 2 ** 16 + 100;

/** Each issue has values of its own in one field; in the other one a few are shared, and each issue has an author of its own. */
const fields = ['rank', 'size'] as const;
type Field = (typeof fields)[number];

const value = (text: string) => ({ id: text, name: text });
const textOf = (field: Field, number: number) => `${field} ${field === 'rank' ? number : number % 9}`;

function anOwn(number: number): Issue {
  let story = anIssue(`WEB-${number}`, '2026-03-02T09:00:00Z');
  for (const field of fields)
    story = story.changes(field, 'none', textOf(field, number), '2026-03-03T09:00:00Z');
  const { issue } = story;
  return { ...issue, changes: issue.changes.map((change) => ({ ...change, by: `person ${number}` })) };
}

/** What columns hold of a field of an issue: its content, the values it went through, who changed them. */
function heldOf(columns: IssueColumns, field: Field, number: number) {
  const row = columns.rowOf(`WEB-${number}`);
  const { fields, histories } = columns.arrays();
  const { values, authors } = columns.histories.find(field) ?? {};
  const { at, count, codes, authors: by } = histories[field] ?? {};
  const places = Array.from({ length: count?.[row] ?? 0 }, (_, i) => (at?.[row] ?? 0) + i);
  return {
    now: columns.field(field).values.at(fields[field]?.[row] ?? 0),
    visits: places.map((visit) => values?.at(codes?.[visit] ?? 0)),
    by: places.map((visit) => authors?.at(by?.[visit] ?? 0)),
  };
}

const expectedOf = (field: Field, number: number) => ({
  now: value(textOf(field, number)),
  visits: [value('none'), value(textOf(field, number))],
  by: [undefined, `person ${number}`],
});

test('a field has as many values and authors as its issues, however many these are', async () => {
  const columns = new IssueColumns();
  const issues = Array.from({ length: MANY }, (_, i) => anOwn(i + 1));
  const rows = issues.map((issue, i) => columns.put(i + 1, rowContent(issue)));
  for (const field of fields) {
    columns.beginField(field);
    columns.fillField(field, rows, issues);
    columns.endField(field);
    columns.beginHistory(field);
    columns.fillHistory(field, rows, issues.map(historySource));
    await columns.endHistory(field);
  }
  const { facts, arrays } = columns.toSnapshot();
  const read = async (empty: readonly Uint8Array[]) => {
    for (const [i, array] of empty.entries()) array.set(arrays[i] ?? []);
  };
  const loaded = await IssueColumns.fromSnapshot(facts, read, () => null);
  for (const number of [1, 2 ** 15, 2 ** 16 - 1, MANY]) {
    expect(heldOf(columns, 'rank', number)).toEqual(expectedOf('rank', number));
    // So many values of one field are in no file.
    for (const one of [columns, loaded]) {
      expect(heldOf(one, 'size', number)).toEqual(expectedOf('size', number));
    }
  }
});
