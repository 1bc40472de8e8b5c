import { expect, test } from '#jest';
import { AppError } from '../../src/model/error.ts';
import { aWorld, issueWith } from './a-world.ts';
import { found } from './ask.ts';

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

const unknownKey = 'is not an issue that is known here; allowed: the key of an issue.';

test.each([
  ['project = OPS', ['OPS-9', 'OPS-007']],
  ['project = "Project APP"', ['APP-1']],
  ['project = p-web', ['WEB-1', 'web-2']],
  [
    'project = NONE',
    ["customjql: 'NONE' at position 10 is not a project that is known here; allowed: APP, OPS, WEB."],
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
