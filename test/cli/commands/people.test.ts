import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '#jest';
import type { PeopleApi } from '../../../src/api/people/create-people.ts';
import type { User } from '../../../src/model/issue.ts';
import { anInvitation } from '../../http/delegation/an-invitation.ts';
import { exportFile, jiraIssue } from '../../support/jira-export.ts';
import { runCommand } from '../../support/run-command.ts';
import { startDwell, type TestDwell } from '../../support/start-dwell.ts';
import { unusedCliParts } from '../../support/unused-cli-parts.ts';

const SAMPLE = 'Slack accounts linked to users of the fictional company (TRACKER=sample):';
const IMPORTS = 'Slack accounts linked to users of the imports:';
const NONE = 'None: accounts are matched by their email addresses.';
const since = 'since 2026-03-18T12:00:00.000Z';

let dwell: TestDwell;
const start = async () => {
  dwell = await startDwell({ at: '2026-03-18T12:00:00Z' });
};
const stop = () => dwell.stop();
const linesOf = async (...args: string[]) => (await dwell.types('people', ...args)).lines;

describe('people', () => {
  beforeEach(start);
  afterEach(stop);

  test('links accounts, lists who said so and when, and takes a link back', async () => {
    await linesOf('--link', 'U012AB3CD', '--to', 'nina');
    const both = [
      SAMPLE,
      `U012AB3CD  nina (Nina)  by command line  ${since}`,
      `W0Z        bob (Bob)    by command line  ${since}`,
    ];
    expect(await linesOf('--link=w0z', '--to=BOB@example.com')).toEqual(both);
    expect(await linesOf()).toEqual(both);
    expect(await linesOf('--unlink', 'u012ab3cd')).toEqual([
      SAMPLE,
      `W0Z  bob (Bob)  by command line  ${since}`,
    ]);
  });

  test('links somebody named by login, address or full name, where that is one', async () => {
    await dwell.types(
      'import',
      exportFile([jiraIssue('DEMO-1').onCloud()]),
      exportFile([
        { key: 'JIRAUSER10002', name: 'bob', displayName: 'User 2', self: 'https://jira.example' },
        { accountId: 'u3', displayName: 'User 3' },
        { accountId: 'u4', displayName: 'USER 3' },
      ]),
    );
    const linked = [IMPORTS, `U0BOB  JIRAUSER10002 (User 2)  by command line  ${since}`];
    for (const name of ['User 2', 'user 2', 'bob', 'BOB', 'jirauser10002']) {
      expect(await linesOf('--link', 'U0BOB', '--to', name)).toEqual(linked);
      await linesOf('--unlink', 'U0BOB');
    }
    await expect(dwell.types('people', '--link', 'U0BOB', '--to', 'User 3')).rejects.toMatchObject({
      details: ["--to 'User 3' is not clear. Try: one of the ids u3, u4."],
    });
  });

  test('tells the token by which somebody proved it, and when that is switched off', async () => {
    for (const [account, user, ...more] of [
      ['U0ADA', 'ada', '--admin'],
      ['U0BOB', 'bob'],
    ] as const) {
      const ticket = await anInvitation(dwell.dataDir, dwell.clock.now, { account, name: user });
      const { lines } = await dwell.types('token', '--user', user, ...more);
      await dwell.post('/link', { ticket, token: lines[0] ?? '' }, {});
    }
    const { lines } = await dwell.types('tokens');
    const idOf = (user: string) => lines.find((line) => line.includes(`  ${user}`))?.split(' ')[0] ?? '';
    const [ofAda, ofBob] = [idOf('ada'), idOf('bob')];
    expect(await linesOf()).toEqual([
      SAMPLE,
      `U0ADA  ada (Ada)  by token ${ofAda} (admin)  ${since}`,
      `U0BOB  bob (Bob)  by token ${ofBob}  ${since}`,
    ]);
    await dwell.types('tokens', '--off', ofAda);
    expect(await linesOf()).toEqual([
      SAMPLE,
      `U0BOB  bob (Bob)  by token ${ofBob}  ${since}`,
      `U0ADA  ada (Ada)  by token ${ofAda} (admin)  ${since}  not valid: the token is switched off`,
    ]);
    expect(await linesOf('--unlink', 'U0ADA')).toHaveLength(2);
  });

  test('says anew whose an account is', async () => {
    await linesOf('--link', 'U0BOB', '--to', 'bob');
    dwell.clock.now += 60_000;
    expect(await linesOf('--link', 'U0BOB', '--to', 'carl')).toEqual([
      SAMPLE,
      'U0BOB  carl (Carl)  by command line  since 2026-03-18T12:01:00.000Z',
    ]);
  });

  test('keeps apart whose tracker it is', async () => {
    await linesOf('--link', 'U0BOB', '--to', 'bob');
    await dwell.types(
      'import',
      exportFile([jiraIssue('DEMO-1').onCloud()]),
      exportFile([{ accountId: 'zoe', displayName: 'Z\u001b[2JOE' }]),
    );
    expect(await linesOf()).toEqual([IMPORTS, NONE]);
    expect(await linesOf('--link', 'U0BOB', '--to', 'zoe')).toEqual([
      IMPORTS,
      `U0BOB  zoe (Z [2JOE)  by command line  ${since}`,
    ]);
  });
});

describe('a command line for people', () => {
  beforeAll(start);
  afterAll(stop);

  const usage = 'people [--find NAME | --link ACCOUNT --to USER | --unlink ACCOUNT]';
  test.each([
    [['--link', 'U0BOB', '--unlink', 'U0BOB'], '--link and --unlink cannot be used together.'],
    [['--to', 'bob'], `--to needs --link ACCOUNT. Try: ${usage}.`],
    [['--unlink', 'U0BOB', '--to', 'bob'], `--to needs --link ACCOUNT. Try: ${usage}.`],
    [
      ['--link', 'U0BOB'],
      '--to is required: whose account is U0BOB? For example: people --link U0BOB --to ada.',
    ],
    [
      ['--link', 'U0BOB', '--to= '],
      '--to is required: whose account is U0BOB? For example: people --link U0BOB --to ada.',
    ],
    [
      ['--link', '@bob', '--to', 'bob'],
      "--link '@bob' is not a Slack account. Try: the member ID in the profile in Slack, such as U012AB3CD.",
    ],
    [['--unlink', 'U0BOB'], "--unlink 'U0BOB' is not linked. Try: an account that people lists."],
    [['--find', ' '], '--find is empty. Try: a part of an id, login, name or address.'],
    [['--find', 'ada', '--unlink', 'U0BOB'], `--find goes with no other option. Try: ${usage}.`],
  ])('%j is refused in one sentence, and changes nothing', async (args, detail) => {
    await expect(dwell.types('people', ...args)).rejects.toMatchObject({
      code: 'bad-request',
      details: [detail],
    });
    expect(await dwell.types('people')).toEqual({ code: 0, lines: [SAMPLE, NONE] });
  });

  test('links nobody whom the tracker does not know', async () => {
    await expect(dwell.types('people', '--link', 'U0BOB', '--to', 'zed')).rejects.toMatchObject({
      code: 'not-found',
      message: 'User with name "zed" could not be found.',
    });
    expect(await linesOf()).toEqual([SAMPLE, NONE]);
  });

  test('finds users by the text in id, name, login or address, without regard to case', async () => {
    const { code, lines } = await dwell.types('people', '--find', 'ADA');
    expect(code).toBe(0);
    expect(lines[0]).toBe('Users of the fictional company (TRACKER=sample) (id, name, login, address):');
    expect(lines.slice(1).every((line) => /ada/i.test(line))).toBe(true);
    expect(lines.some((line) => /^ada /.test(line))).toBe(true);
    const none = await dwell.types('people', '--find', 'nobody-at-all');
    expect([none.code, none.lines[1]]).toEqual([1, "No known user has 'nobody-at-all' in any of these."]);
  });
});

const people = (count: number): ReadonlyMap<string, User> =>
  new Map(
    Array.from({ length: count }, (_, i) => {
      const id = `JIRAUSER${100 + i}`;
      return [id, { id, name: `Kim ${String(i).padStart(2, '0')}`, login: `kim${i}` }];
    }),
  );

/** What `--find` prints below its heading. */
async function found(text: string, users: ReadonlyMap<string, User>): Promise<readonly string[]> {
  const lines: string[] = [];
  const register = { users: async () => users } as PeopleApi;
  await runCommand(['people', '--find', text], {
    ...unusedCliParts,
    people: register,
    out: (line) => void lines.push(line),
  });
  return lines.slice(1);
}

test('shows id, name, login and address in columns', async () => {
  const users = new Map<string, User>([
    ['JIRAUSER7', { id: 'JIRAUSER7', name: 'Ada Fenn', login: 'ada', email: 'ada@example.com' }],
    ['b', { id: 'b', name: 'Bo' }],
  ]);
  expect(await found('a', users)).toEqual(['JIRAUSER7  Ada Fenn  ada  ada@example.com']);
  expect(await found('B', users)).toEqual(['b  Bo']);
});

test('shows at most 20, and how many there are beside them', async () => {
  const lines = await found('kim', people(23));
  expect(lines).toHaveLength(21);
  expect(lines.at(-1)).toBe('… and 3 more: type more of the name.');
  expect(await found('kim', people(20))).toHaveLength(20);
});
