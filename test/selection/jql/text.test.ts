import { expect, test } from '#jest';
import { aWorld, issueWith } from './a-world.ts';
import { found, refusal } from './ask.ts';

const world = aWorld({
  issues: [
    issueWith('A-1', { summary: 'Login fails on the to-do list', description: 'Über uns: naïve café' }),
    issueWith('A-2', { summary: 'The list of logins', description: 'It fails' }),
    issueWith('A-3', { summary: 'Nothing', description: null }),
  ],
});

test.each([
  ['summary ~ login', ['A-1']],
  ['summary ~ LOGIN', ['A-1']],
  ['summary ~ "login*"', ['A-1', 'A-2']],
  ['summary ~ "list fails"', ['A-1']],
  ['summary ~ "to-do"', ['A-1']],
  ['summary ~ ist', []],
  ['summary ~ "\\"login fails\\""', ['A-1']],
  ['summary ~ "\\"fails login\\""', []],
  ['summary ~ "\\"login fail\\""', []],
  ['summary !~ list', ['A-3']],
  ['description !~ fails', ['A-1']],
  ['description is empty', ['A-3']],
  ['description ~ empty', ['A-3']],
  ['description ~ café', ['A-1']],
  ['description ~ über', ['A-1']],
  ['description ~ caf', []],
  ['text ~ fails', ['A-1', 'A-2']],
  ['text ~ "login uns"', []],
  ["summary ~ 'list'", ['A-1', 'A-2']],
])('%s', (jql, keys) => {
  expect(found(jql, world)).toEqual(keys);
});

test.each([
  ['summary ~ "lo?in"', "has '?'"],
  ['summary ~ "*login"', "has '*'"],
  ['summary ~ "lo*in"', "has '*'"],
  ['summary ~ "login~"', "has '~'"],
  ['summary ~ "-login"', "has '-'"],
  ['summary ~ "login OR logout"', "has 'OR'"],
  ['summary ~ "(login)"', "has '('"],
  ['summary ~ "..."', 'has no word to search for'],
  ['summary ~ ""', 'has no word to search for'],
  ['summary ~ "\\"login"', 'inner quotation mark that is not closed'],
  ['summary ~ currentUser()', 'is not a function that summary takes'],
])('%s is refused, for Jira would search for something else', (jql, why) => {
  expect(refusal(jql, world)).toContain(why);
});
