import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createShareValues } from '../../src/mirror/share-values.ts';
import { anyIssue } from '../support/arbitrary-issue.ts';
import { anIssue } from '../support/issue-story.ts';

/** As a store gives it back: nothing is the same object twice. */
const anew = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value));

test('an issue that shares its values is equal to what it was', () => {
  fc.assert(
    fc.property(fc.array(anyIssue, { minLength: 1, maxLength: 5 }), (issues) => {
      const share = createShareValues();
      for (const issue of issues) expect(share(issue)).toEqual(issue);
    }),
  );
});

test('equal values of all issues are one object, those that differ in id or name are not', () => {
  const share = createShareValues();
  const told = anIssue('DEMO-1', '2026-03-02T09:00:00Z').moves('Done', '2026-03-03T09:00:00Z').issue;
  const one = share(anew(told));
  const other = share(
    anew({ ...told, fields: { versions: [told.status], status: { id: '1', name: 'Done' } } }),
  );
  expect(other.status).toBe(one.status);
  expect(other.changes[0]?.to).toBe(one.status);
  expect(Array.isArray(other.fields.versions) && other.fields.versions[0]).toBe(one.status);
  expect(other.history).toBe(one.history);
  expect(other.fields.status).toEqual({ id: '1', name: 'Done' });
});

test('long texts are not kept for others', () => {
  const share = createShareValues();
  const long = { id: 'x'.repeat(90), name: 'prose' };
  const issue = { ...anIssue('DEMO-1', '2026-03-02T09:00:00Z').issue, assignee: long };
  expect(share(anew(issue)).assignee).toEqual(long);
  expect(share(anew(issue)).assignee).not.toBe(share(anew(issue)).assignee);
});
