import { describe, expect, test } from '#jest';
import { aWorld, change, issueWith } from './a-world.ts';
import { found, refusal } from './ask.ts';

const value = (id: string, name = id) => ({ id, name });

const login = issueWith('WEB-1', {
  status: value('3', 'In Progress'),
  assignee: value('ada', 'Ada Lovelace'),
  reporter: value('bob', 'Bob'),
  creator: value('eve', 'Eve'),
  issuetype: value('10004', 'Bug'),
  priority: value('2', 'High'),
  labels: [value('ui'), value('tech-debt')],
  components: [value('101', 'Basket')],
  fixVersions: [value('7', '3.14')],
  versions: [value('6', '3.13')],
  security: value('9', 'Internal'),
  customfield_10016: 5,
  customfield_10020: [value('21', 'Sprint 21'), value('22', 'Sprint 22')],
  customfield_10030: value('t1', 'Team Red'),
  customfield_10031: '2026-03-10',
  customfield_10032: 'free words here',
  customfield_10033: null,
  customfield_10034: [value('ada', 'Ada Lovelace'), value('bob', 'Bob')],
  duedate: '2026-03-20',
});
const logout = issueWith('WEB-12', {
  status: value('5', 'Done'),
  assignee: value('bob', 'Bob'),
  issuetype: value('10001', 'Story'),
  priority: value('3', 'Medium'),
  labels: [value('api')],
  resolution: value('1', 'Fixed'),
  parent: value('20001', 'WEB-1'),
  customfield_10016: 2.5,
  customfield_10020: [value('23', 'Sprint 23')],
});
const server = issueWith('OPS-3', { status: value('6', 'Done'), labels: [], customfield_10016: null });

const world = aWorld({
  issues: [login, logout, server],
  directory: {
    fields: [
      { id: 'customfield_10016', name: 'Story Points' },
      { id: 'customfield_10030', name: 'Team' },
      { id: 'customfield_10031', name: 'Go live' },
      { id: 'customfield_10032', name: 'Notes' },
      { id: 'customfield_10033', name: 'Never filled' },
      { id: 'customfield_10034', name: 'Approvers' },
      { id: 'customfield_1', name: 'Twice' },
      { id: 'customfield_2', name: 'Twice' },
      { id: 'fixVersions', name: 'Fix versions' },
    ],
    groups: [{ id: 'g1', name: 'web-team', members: ['ada', 'eve'] }],
    sprints: [
      { id: '21', name: 'Sprint 21', state: 'closed', start: 0, end: 1, completed: 1, board: null },
      {
        id: '22',
        name: 'Sprint 22',
        state: 'closed',
        start: Date.parse('2026-03-16T00:00Z'),
        end: null,
        completed: Date.parse('2026-03-30T00:00Z'),
        board: null,
      },
      { id: '23', name: 'Sprint 23', state: 'future', start: null, end: null, completed: null, board: null },
      {
        id: '24',
        name: 'Sprint 24',
        state: 'active',
        start: Date.parse('2026-03-31T00:00Z'),
        end: null,
        completed: null,
        board: null,
      },
    ],
  },
});

describe('a field is found', () => {
  test.each([
    ['project = WEB', ['WEB-1', 'WEB-12']],
    ['project = "project ops"', ['OPS-3']],
    ['project = p-OPS', ['OPS-3']],
    ['project not in (web)', ['OPS-3']],
    ['key = web-1', ['WEB-1']],
    ['issuekey in (WEB-1, OPS-3)', ['WEB-1', 'OPS-3']],
    ['issue != WEB-1', ['WEB-12', 'OPS-3']],
    ['id = WEB-12', ['WEB-12']],
    ['status = done', ['WEB-12', 'OPS-3']],
    ['status = 5', ['WEB-12']],
    ['statusCategory = Done', ['WEB-12', 'OPS-3']],
    ['statusCategory = indeterminate', ['WEB-1']],
    ['statuscategory != 3', ['WEB-1']],
    ['assignee = ada', ['WEB-1']],
    ['assignee = "ada lovelace"', ['WEB-1']],
    ['assignee = "ADA@example.org"', ['WEB-1']],
    ['reporter = bob', ['WEB-1']],
    ['creator = Eve', ['WEB-1']],
    ['issuetype = bug', ['WEB-1']],
    ['type = 10001', ['WEB-12']],
    ['"issue type" = Story', ['WEB-12']],
    ['priority = high', ['WEB-1']],
    ['resolution = Fixed', ['WEB-12']],
    ['resolution = Unresolved', ['WEB-1', 'OPS-3']],
    ['resolution != unresolved', ['WEB-12']],
    ['resolution in (Unresolved, Fixed)', ['WEB-1', 'WEB-12', 'OPS-3']],
    ['labels = UI', ['WEB-1']],
    ['component = basket', ['WEB-1']],
    ['components = 101', ['WEB-1']],
    ['fixVersion = "3.14"', ['WEB-1']],
    ['"Fix versions" = 7', ['WEB-1']],
    ['affectedVersion = "3.13"', ['WEB-1']],
    ['level = Internal', ['WEB-1']],
    ['parent = WEB-1', ['WEB-12']],
    ['parent = 20001', ['WEB-12']],
    ['parent = OPS-3', []],
    ['sprint = "Sprint 22"', ['WEB-1']],
    ['sprint = 23', ['WEB-12']],
    ['cf[10020] = 21', ['WEB-1']],
    ['"Story Points" = 5', ['WEB-1']],
    ['"story points" > 2', ['WEB-1', 'WEB-12']],
    ['cf[10016] <= "2.5"', ['WEB-12']],
    ['customfield_10016 in (5, 8)', ['WEB-1']],
    ['Team = "team red"', ['WEB-1']],
    ['"Go live" < 2026-03-11', ['WEB-1']],
    ['Notes ~ words', ['WEB-1']],
    ['Approvers = currentUser()', ['WEB-1']],
    ['"Never filled" is empty', ['WEB-1', 'WEB-12', 'OPS-3']],
    ['"Never filled" > 3', []],
    ['"Never filled" = 3', []],
  ])('by %s', (jql, keys) => {
    expect(found(jql, world)).toEqual(keys);
  });
});

describe('an operator means what Jira documents', () => {
  test.each([
    ['labels != ui', ['WEB-12']],
    ['labels not in (ui, nothing)', ['WEB-12']],
    ['NOT labels = ui', ['WEB-12', 'OPS-3']],
    ['labels is empty', ['OPS-3']],
    ['labels is not null', ['WEB-1', 'WEB-12']],
    ['labels = EMPTY', ['OPS-3']],
    ['labels in (EMPTY, api)', ['WEB-12', 'OPS-3']],
    ['labels not in (EMPTY, api)', ['WEB-1']],
    ['labels != EMPTY', ['WEB-1', 'WEB-12']],
    ['labels in ((ui), (api))', ['WEB-1', 'WEB-12']],
    ['assignee != ada', ['WEB-12']],
    ['priority > Medium', ['WEB-1']],
    ['priority >= Medium', ['WEB-1', 'WEB-12']],
    ['priority < High', ['WEB-12']],
    ['priority <= 2', ['WEB-1', 'WEB-12']],
    ['key > WEB-1', ['WEB-12']],
    ['key <= WEB-12', ['WEB-1', 'WEB-12']],
    ['project = WEB AND (labels = api OR labels = ui) AND NOT key = WEB-1', ['WEB-12']],
    ['project = OPS || labels = api && priority = High', ['OPS-3']],
    ['!(project = WEB)', ['OPS-3']],
    ['', ['WEB-1', 'WEB-12', 'OPS-3']],
    ['order by key', ['WEB-1', 'WEB-12', 'OPS-3']],
  ])('%s', (jql, keys) => {
    expect(found(jql, world)).toEqual(keys);
  });
});

describe('a function stands for', () => {
  test('whoever asks', () => {
    expect(found('assignee = currentUser()', world)).toEqual(['WEB-1']);
    expect(found('assignee != CURRENTUSER()', world)).toEqual(['WEB-12']);
  });

  test('the members of a group', () => {
    expect(found('assignee in membersOf("web-team")', world)).toEqual(['WEB-1']);
    expect(found('assignee not in (membersOf(g1))', world)).toEqual(['WEB-12']);
  });

  test('sprints by the state they had then', () => {
    expect(found('sprint in openSprints()', world)).toEqual(['WEB-1']);
    expect(found('sprint in closedSprints()', world)).toEqual(['WEB-1']);
    expect(found('sprint in futureSprints()', world)).toEqual(['WEB-12']);
    const later = aWorld({ issues: world.issues, directory: world.directory, now: '2026-04-01T00:00:00Z' });
    expect(found('sprint in openSprints()', later)).toEqual([]);
  });
});

test('several fields called Sprint are asked together', () => {
  const fields = [
    { id: 'customfield_1', name: 'Sprint' },
    { id: 'customfield_2', name: 'sprint' },
  ];
  const issues = [
    issueWith('A-1', { customfield_1: [value('1', 'One')], customfield_2: null }),
    issueWith('A-2', { customfield_1: null, customfield_2: [value('2', 'Two')] }),
    issueWith('A-3', { customfield_1: null, customfield_2: null }),
  ];
  const two = aWorld({ issues, directory: { fields } });
  expect(found('sprint = One', two)).toEqual(['A-1']);
  expect(found('sprint != One', two)).toEqual(['A-2']);
  expect(found('sprint is empty', two)).toEqual(['A-3']);
});

test('a value of a list that only a change mentions is known', () => {
  const issue = issueWith(
    'A-1',
    { components: [value('1', 'Basket')] },
    { changes: [change('components', 'Shop', 'Basket', '2026-03-04T10:00:00Z')] },
  );
  const two = aWorld({ issues: [issue] });
  expect(found('component = Shop', two)).toEqual([]);
  expect(found('component was Shop', two)).toEqual(['A-1']);
  expect(refusal('component was Shed', two)).toContain("'Shed' at position 14 is not a value");
});

test('a number is an id before it is a name, quoted it is a name first', () => {
  const confusing = aWorld({
    issues: [
      issueWith('A-1', { priority: value('1', '2') }),
      issueWith('A-2', { priority: value('2', '1') }),
    ],
  });
  expect(found('priority = 1', confusing)).toEqual(['A-1']);
  expect(found('priority = "1"', confusing)).toEqual(['A-2']);
});

test('a value that only a change mentions is known', () => {
  expect(found('status = "To Do"', world)).toEqual([]);
});

test.each([
  ['project = NOPE', "customjql: 'NOPE' at position 10 is not a project that is known here. Try: OPS, WEB."],
  [
    'key = WEB-99',
    "customjql: 'WEB-99' at position 6 is not an issue that is known here. Try: the key of an issue.",
  ],
  [
    'issuetype = Bugg',
    "customjql: 'Bugg' at position 12 is not a value of issuetype that is known here. Try: Bug, Story.",
  ],
  [
    'status was Dnoe',
    "customjql: 'Dnoe' at position 11 is not a value of status that is known here. Try: To Do, In Progress, Done.",
  ],
  [
    'assignee in (ada, zoe)',
    "customjql: 'zoe' at position 18 is not a user who is known here. Try: the name, the id or the address of a user.",
  ],
  [
    'assignee in membersOf(nobody)',
    "customjql: 'nobody' at position 22 is not a group that is known here. Try: ids and names of groups.",
  ],
  [
    'statusCategory = Doing',
    "customjql: 'Doing' at position 17 is not a status category. Try: To Do, In Progress, Done, Undefined.",
  ],
  [
    '"Story Points" > many',
    'customjql: \'many\' at position 17 is not a number, as Story Points needs. Try: a number such as 3 or "2.5".',
  ],
  [
    'Twice = 1',
    "customjql: 'Twice' at position 0 is the name of several fields. Try: one of their ids, customfield_1, customfield_2.",
  ],
  [
    '"Never filled" = x',
    "customjql: 'x' at position 17 is not a value of Never filled that is known here; Never filled has no values here.",
  ],
  [
    'sprint > 21',
    "customjql: '>' at position 7 is not an operator that sprint takes. Try: =, !=, in, not in, is, is not.",
  ],
  [
    'summary = login',
    "customjql: '=' at position 8 is not an operator that summary takes. Try: ~, !~, is, is not, changed.",
  ],
  ['text !~ login', "customjql: '!~' at position 5 is not an operator that text takes. Try: ~."],
  [
    'sprint was 21',
    "customjql: 'was' at position 7 is not an operator that sprint takes. Try: =, !=, in, not in, is, is not.",
  ],
  [
    'assignee = membersOf("web-team")',
    'customjql: \'membersOf("web-team")\' at position 11 gives several values. Try: IN or NOT IN before it.',
  ],
  [
    'status = currentUser()',
    "customjql: 'currentUser' at position 9 is not a function that status takes. Try: no function.",
  ],
  [
    'assignee = currentUser(x)',
    "customjql: 'currentUser(x)' at position 11 has 1 arguments. Try: no arguments.",
  ],
  [
    'development[commits].all > 0',
    "customjql: 'development[commits].all' at position 0 asks for a part of a field, which is not supported. Try: a field.",
  ],
])('%s is refused', (jql, words) => {
  expect(refusal(jql, world)).toBe(words);
});

test('an unknown field is refused with those there are', () => {
  expect(refusal('priority = High AND mood = 1', world)).toMatch(
    /^customjql: 'mood' at position 20 is not a field that is known here. Try: key, project, status, .+, Story Points, .+\.$/,
  );
  expect(refusal('cf[999] = 1', world)).toContain("'cf[999]' at position 0 is not a field");
});

test('an unknown function is refused with those there are', () => {
  expect(refusal('created > nextFullMoon()', world)).toMatch(
    /^customjql: 'nextFullMoon' at position 10 is not a function that is supported. Try: currentUser\(\), /,
  );
});

test('what the principal may not see reads as not existing', () => {
  const narrow = aWorld({ issues: [server] });
  expect(refusal('key = WEB-1', narrow)).toBe(refusal('key = WEB-1', aWorld({ issues: [] })));
  expect(refusal('issuetype = Bug', narrow)).toContain('issuetype has no values here');
});
