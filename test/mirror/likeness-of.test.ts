import { expect, test } from '#jest';
import { likenessOf } from '../../src/mirror/browse-permissions.ts';
import type { FieldContent } from '../../src/model/issue.ts';

const ada = { id: 'ada', name: 'Ada' };
const bob = { id: 'bob', name: 'Bob' };
const of = (fields: Readonly<Record<string, FieldContent>>) => likenessOf({ fields });

test.each<[string, Readonly<Record<string, FieldContent>>]>([
  ['the reporter', { reporter: bob }],
  ['the assignee', { assignee: bob }],
  ['no one in place of a person', { reporter: null }],
  ['a person in a field of the site’s own', { customfield_1: bob }],
  ['one of several groups or options', { customfield_2: [ada] }],
  ['a name that is a text', { customfield_3: 'on-call' }],
])('issues are not alike that differ in %s', (_what, other) => {
  const one = {
    reporter: ada,
    assignee: ada,
    customfield_1: ada,
    customfield_2: [ada, bob],
    customfield_3: 'leads',
  };
  expect(of({ ...one, ...other })).not.toBe(of(one));
});

test('the same person in another field is another matter', () => {
  expect(of({ customfield_1: ada })).not.toBe(of({ customfield_2: ada }));
});

test('issues are alike whatever else they hold, and in whatever order', () => {
  const one = {
    reporter: ada,
    customfield_2: [ada, bob],
    summary: 'One',
    customfield_4: 3,
    customfield_5: null,
  };
  const other = {
    ...{ customfield_6: '0|hzzzzx:', customfield_7: '2026-03-02T09:00:00Z', customfield_5: null },
    ...{ customfield_2: [bob, ada], labels: [{ id: 'x', name: 'x' }], status: ada, reporter: ada },
  };
  expect(of(other)).toBe(of(one));
});
