import { readFileSync } from 'node:fs';
import { describe, expect, test } from '#jest';
import { AppError } from '../../../src/model/error.ts';
import { compileJql } from '../../../src/selection/jql/compile-jql.ts';
import { parseJql } from '../../../src/selection/jql/parse-jql.ts';
import { aWorld, issueWith } from './a-world.ts';
import { answerOf } from './ask.ts';

interface Case {
  readonly group: string;
  readonly jql: string;
}

const cases: { readonly valid: readonly Case[]; readonly invalid: readonly Case[] } = JSON.parse(
  readFileSync(new URL('../../fixtures/jql-parser-cases.json', import.meta.url), 'utf8'),
);

const value = (name: string) => ({ id: name, name });

/** Knows enough for half of the cases to be asked, and little enough for the others to be refused. */
const world = aWorld({
  issues: [
    issueWith('JQL-1', {
      issuetype: value('bug'),
      assignee: value('a'),
      priority: value('3'),
      description: 'a text',
    }),
    issueWith('JQL-2', { components: [value('jql')], assignee: value('b'), reporter: value('jane') }),
  ],
  directory: { groups: [{ id: 'g', name: 'jira-administrators', members: ['a'] }] },
});

function detailOf(run: () => unknown): string | null {
  try {
    run();
    return null;
  } catch (error) {
    if (error instanceof AppError && error.code === 'bad-request') return error.details.join(' ');
    throw error;
  }
}

test('the cases are all there', () => {
  expect([cases.valid.length, cases.invalid.length]).toEqual([124, 217]);
});

describe.each(cases.valid)('$group: $jql', ({ jql }) => {
  test('can be read', () => {
    expect(detailOf(() => parseJql(jql))).toBeNull();
  });

  test('is answered, or refused by name', () => {
    const detail = detailOf(() => {
      const query = compileJql(jql, world);
      for (const issue of world.issues)
        expect(['yes', 'no', 'unknown']).toContain(answerOf(issue, query, world));
    });
    if (detail !== null) expect(detail).toMatch(/^customjql: '.+' at position \d+ .+\.$/s);
  });
});

test.each(cases.invalid)('$group: $jql is refused with its position', ({ jql }) => {
  const detail = detailOf(() => parseJql(jql));
  expect(detail).toMatch(/^customjql: expected .+ at position \d+ \(line \d+, column \d+\), but .+\.$/);
});

test('a good part of the valid cases is answered in a world that knows their values', () => {
  const answered = cases.valid.filter(({ jql }) => detailOf(() => compileJql(jql, world)) === null);
  expect(answered.length).toBeGreaterThan(70);
});
