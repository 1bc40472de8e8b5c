import { expect, test } from '#jest';
import { joinChunks } from '../../src/issues/issue-chunks.ts';
import { compileJql } from '../../src/jql/compile-jql.ts';
import type { JqlWorld } from '../../src/jql/jql.ts';
import { emptyDirectory } from '../../src/model/directory.ts';
import type { Issue } from '../../src/model/issue.ts';
import { anIssue } from '../support/issue-story.ts';

const told = (key: string, fields: Issue['fields'] = {}): Issue => {
  const { issue } = anIssue(key, '2026-03-02T09:00:00Z');
  const project = key.slice(0, key.indexOf('-'));
  return {
    ...issue,
    project: { id: `10-${project}`, name: `The ${project}` },
    fields: { ...issue.fields, ...fields },
  };
};
const issues = [
  told('WEB-1'),
  told('APP-1', { customfield_10016: 3 }),
  told('web-2', { parent: { id: '77', name: 'APP-1' } }),
  told('OPS-9', { customfield_10020: { id: '4', name: 'Sprint 4' } }),
];

function world(all: readonly Issue[]): JqlWorld {
  return {
    now: Date.parse('2026-03-18T00:00:00Z'),
    timeZone: 'UTC',
    asker: 'ada',
    admin: false,
    issues: all,
    statuses: new Map(),
    users: new Map(),
    directory: emptyDirectory,
    contentOf: (issue, field) => issue.fields[field],
    visitsOf: () => [],
  };
}

/** The keys found, or what the query is refused with. */
function answer(jql: string, all: readonly Issue[]): unknown {
  try {
    const { matches } = compileJql(jql, world(all), 'customjql');
    return all.filter((issue) => matches(issue) === 'yes').map(({ key }) => key);
  } catch (error) {
    return error;
  }
}

test.each([
  ['project = OPS'],
  ['project = "The APP"'],
  ['project = 10-WEB'],
  ['project = NONE'],
  ['key = OPS-9'],
  ['key = WEB-2'],
  ['key = OPS-10'],
  ['parent = APP-1'],
  ['cf[10016] = 3'],
  ['cf[10020] = "Sprint 4"'],
  ['cf[10020] = "Sprint 5"'],
  ['cf[10999] = 3'],
])('%s is answered alike for issues in chunks and for the same issues in one', (jql) => {
  const [one, ...others] = issues;
  const chunked = joinChunks([one === undefined ? [] : [one], others.slice(0, 1), others.slice(1)]);
  expect(answer(jql, chunked)).toEqual(answer(jql, [...issues]));
});
