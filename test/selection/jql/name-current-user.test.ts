import fc from 'fast-check';
import { describe, expect, test } from '#jest';
import { compileJql } from '../../../src/selection/jql/compile-jql.ts';
import { nameCurrentUser } from '../../../src/selection/jql/parse-jql.ts';
import { aWorld, issueWith } from './a-world.ts';

const named = (jql: string) => nameCurrentUser(jql, '"ben"');

describe('who asks is named', () => {
  test.each([
    ['assignee = currentUser()', 'assignee = "ben"'],
    ['assignee = CURRENTUSER( ) order by key', 'assignee = "ben" order by key'],
    [
      'not (reporter != currentUser() or assignee in (ada, currentUser()))',
      'not (reporter != "ben" or assignee in (ada, "ben"))',
    ],
    [
      'assignee was currentUser() and status changed by currentUser()',
      'assignee was "ben" and status changed by "ben"',
    ],
    ['summary ~ "🦊" and assignee = currentUser()', 'summary ~ "🦊" and assignee = "ben"'],
  ])('%s', (jql, expected) => {
    expect(named(jql)).toBe(expected);
  });
});

describe('what only looks like it stays', () => {
  test.each([
    '',
    'project = WEB',
    'summary ~ "assignee = currentUser()"',
    "summary ~ 'currentUser()'",
    'assignee in membersOf("currentUser()")',
    'labels = currentUser',
    'assignee = currentUser(now)',
  ])('%s', (jql) => {
    expect(named(jql)).toBe(jql);
  });
});

test('texts never change, whatever stands in them', () => {
  const text = fc.string({ unit: 'grapheme' }).map((one) => JSON.stringify(`${one} currentUser()`));
  fc.assert(
    fc.property(text, text, (one, other) => {
      const query = (who: string) => `summary ~ ${one} and assignee = ${who} or summary ~ ${other}`;
      let expected: string;
      try {
        expected = named(query('currentUser()'));
      } catch {
        return;
      }
      expect(expected).toBe(query('"ben"'));
    }),
  );
});

test('a query tells that it depends on who asks, be it in a saved filter in a saved filter', () => {
  const filter = (id: string, jql: string) => ({ id, name: `F${id}`, jql, owner: null, shared: true });
  const filters = [filter('1', 'assignee = currentUser()'), filter('2', 'project = WEB and filter = F1')];
  const world = aWorld({ issues: [issueWith('WEB-1')], directory: { filters } });
  for (const [jql, depends] of [
    ['assignee = currentUser()', true],
    ['not filter = F2', true],
    ['project = WEB and summary ~ "currentUser"', false],
    ['', false],
  ] as const) {
    expect([jql, compileJql(jql, world).dependsOnPrincipal]).toEqual([jql, depends]);
  }
});
