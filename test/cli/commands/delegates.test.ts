import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '#jest';
import { exportFile, jiraIssue } from '../../support/jira-export.ts';
import { renamedPeopleListed } from '../../support/renamed-people.ts';
import { startDwell, type TestDwell } from '../../support/start-dwell.ts';

const SAMPLE = 'Delegations of the fictional company (TRACKER=sample); its admins can view and edit all.';
const IMPORTS = 'Delegations of the imports; its admins can view and edit all.';
const atFirst = ['View their own  everyone', 'View all        none', 'Edit all        none'];

let dwell: TestDwell;
const start = async () => {
  dwell = await startDwell();
};
const stop = () => dwell.stop();
const linesOf = async (...args: string[]) => (await dwell.types('delegates', ...args)).lines;

/** Changes the list of those who can view all, and returns it as it is shown. */
const viewAll = async (list: string) => (await linesOf('--view-all', list))[2]?.slice(16);

describe('delegates', () => {
  beforeEach(start);
  afterEach(stop);

  test('says one list anew and leaves the others alone', async () => {
    expect(await linesOf('--view-all', 'ops-team, bob')).toEqual([
      SAMPLE,
      'View their own  everyone',
      'View all        ops-team (group of 4), bob (Bob)',
      'Edit all        none',
    ]);
    const both = [
      SAMPLE,
      'View their own  web-team (group of 7)',
      'View all        ops-team (group of 4), bob (Bob)',
      'Edit all        nina (Nina)',
    ];
    expect(await linesOf('--edit-all=nina', '--view', 'WEB-team')).toEqual(both);
    expect(await linesOf()).toEqual(both);
  });

  test('opens to everyone and closes to all', async () => {
    expect(await linesOf('--view', 'none', '--view-all', 'Everyone')).toEqual([
      SAMPLE,
      'View their own  none',
      'View all        everyone',
      'Edit all        none',
    ]);
    expect(await linesOf('--view', ' everyone ', '--view-all', 'none')).toEqual([SAMPLE, ...atFirst]);
  });

  test('knows users by address, login and full name, each once, and says of whom it is said', async () => {
    expect(await linesOf('--edit-all', 'NINA@example.com,nina,,BOB,user:carl,group:OPS-TEAM')).toEqual([
      SAMPLE,
      'View their own  everyone',
      'View all        none',
      'Edit all        nina (Nina), bob (Bob), user:carl (Carl), ops-team (group of 4)',
    ]);
  });

  test('with signs adds to a list and takes away from it, and leaves others their rights', async () => {
    await linesOf('--view-all', 'ops-team,bob');
    expect(await viewAll('+carl')).toBe('ops-team (group of 4), bob (Bob), carl (Carl)');
    expect(await viewAll('+ Carl@example.com,+BOB')).toBe('ops-team (group of 4), bob (Bob), carl (Carl)');
    expect(await viewAll('-bob,+user:dora')).toBe('ops-team (group of 4), carl (Carl), user:dora (Dora)');
    expect(await viewAll('-group:Ops-Team,+bob,-CARL')).toBe('user:dora (Dora), bob (Bob)');
    expect(await viewAll('-dora')).toBe('bob (Bob)');
    expect((await linesOf('--view-all=-bob', '--edit-all', '+bob')).slice(2)).toEqual([
      'View all        none',
      'Edit all        bob (Bob)',
    ]);
    expect((await linesOf('--view', '+bob')).slice(1, 2)).toEqual(['View their own  everyone']);
  });

  test('keeps apart whose tracker it is, and shows nothing that could command the terminal', async () => {
    await linesOf('--view-all', 'bob');
    await importPeople({ accountId: 'zoe', displayName: 'Z\u001b[2JOE' });
    expect(await linesOf()).toEqual([IMPORTS, ...atFirst]);
    expect(await linesOf('--view-all', 'zoe')).toEqual([
      IMPORTS,
      'View their own  everyone',
      'View all        zoe (Z [2JOE)',
      'Edit all        none',
    ]);
  });

  test('permits the holder of a token whom the tracker does not know, where it is said so', async () => {
    await linesOf('--view-all', '+user:bi-tool');
    const asked = { delegator: 'ada', category: 'expense' };
    const path = '/rest/delegation/api/1.0/delegation/getDelegates';
    expect((await dwell.as('bi-tool').get(path, asked)).status).toBe(200);
    await linesOf('--view-all', '-user:bi-tool');
    expect((await dwell.as('bi-tool').get(path, asked)).status).toBe(403);
  });

  test('keeps somebody by id who is named by login, and who is unknown until people are known', async () => {
    await importPeople();
    expect(await linesOf('--view-all', 'bob,robot')).toContain(
      'View all        bob (not known there), robot (not known there)',
    );
    const bob = { key: 'JIRAUSER10002', name: 'bob', displayName: 'Bob Berg', self: 'https://jira.example' };
    await importPeople(bob);
    await expect(dwell.types('delegates', '--view-all', '+bot')).rejects.toMatchObject({
      details: [
        "--view-all 'bot' is not known to the tracker. Try: users by id, login, address or full name, groups by id or name, user:NAME for the holder of a token that the tracker does not know.",
      ],
    });
    expect(await linesOf('--view-all', '-robot,-bob,+BOB')).toContain(
      'View all        JIRAUSER10002 (Bob Berg)',
    );
    expect(await linesOf('--view-all', '-bob berg')).toContain('View all        none');
  });

  test('means by a name that is the login of one and the id of another whoever has the login', async () => {
    await importPeople(...renamedPeopleListed);
    expect(await viewAll('robert,bob')).toBe('bob (Robert Old), JIRAUSER99999 (Bob New)');
    expect(await viewAll('-bob')).toBe('bob (Robert Old)');
    await expect(dwell.types('delegates', '--view-all', '-bob')).rejects.toMatchObject({
      details: ["--view-all '-bob' is not on the list. Try: one of those it names, robert."],
    });
    expect(await viewAll('+bob')).toBe('bob (Robert Old), JIRAUSER99999 (Bob New)');
    expect(await viewAll('-robert')).toBe('JIRAUSER99999 (Bob New)');
  });

  test('takes somebody away with every entry that means them, and writes nobody down twice', async () => {
    await importPeople();
    await linesOf('--view-all', 'carl,user:carl,robot');
    await importPeople(...renamedPeopleListed);
    expect(await viewAll('+JIRAUSER6,+user:carl')).toMatch(
      /^carl \(.*\), user:carl \(.*\), robot \([^,]*\)$/,
    );
    expect(await viewAll('-Carl')).toBe('robot (not known there)');
    expect(await viewAll('carl,user:carl,JIRAUSER6,CARL')).toBe('JIRAUSER6 (Carl)');
    expect(await viewAll('+user:JIRAUSER6')).toBe('JIRAUSER6 (Carl)');
    expect(await viewAll('-user:carl')).toBe('none');
  });

  test('two of one name are refused with their ids, whichever way the name is used', async () => {
    await importPeople(
      { accountId: 'u1', displayName: 'Ann Lee' },
      { accountId: 'u2', displayName: 'ann lee' },
      { accountId: 'both', displayName: 'Both' },
      { groupId: 'both', name: 'The others', users: { items: [] } },
    );
    for (const sign of ['', '+']) {
      await expect(dwell.types('delegates', '--view', `${sign}Ann Lee`)).rejects.toMatchObject({
        details: ["--view 'Ann Lee' is not clear. Try: one of the ids u1, u2."],
      });
      await expect(dwell.types('delegates', '--view', `${sign}both`)).rejects.toMatchObject({
        details: ["--view 'both' is a user and a group. Try: user:both or group:both."],
      });
    }
    expect(await linesOf('--view', 'the OTHERS,user:both')).toContain(
      'View their own  The others (group of 0), user:both (Both)',
    );
    expect(await linesOf('--view', '-user:both')).toContain('View their own  The others (group of 0)');
  });
});

/** Takes in an issue, which names nobody, and people. */
async function importPeople(...people: readonly unknown[]): Promise<void> {
  await dwell.types('import', exportFile([jiraIssue('DEMO-1').onCloud()]), exportFile([...people]));
}

describe('a command line for rights to delegations', () => {
  beforeAll(start);
  afterAll(stop);

  const usage = 'delegates [--view LIST] [--view-all LIST] [--edit-all LIST]';
  test.each([
    [['--view', ' , '], "--view ' , ' has no names. Try: ids of users and groups, such as ada,web-team."],
    [
      ['--view-all', 'everyone,ada'],
      "--view-all 'everyone,ada' says everyone and others. Try: everyone alone, or ids of users and groups.",
    ],
    [
      ['--view', 'bob', '--edit-all', 'ada,none'],
      "--edit-all 'ada,none' says none and others. Try: none alone, or ids of users and groups.",
    ],
    [
      ['--view-all', 'ada,+bob'],
      "--view-all 'ada,+bob' has names with a sign and names without. Try: + or - before each, or before none.",
    ],
    [
      ['--view-all', 'zed'],
      "--view-all 'zed' is not known to the tracker. Try: users by id, login, address or full name, groups by id or name, user:NAME for the holder of a token that the tracker does not know.",
    ],
    [
      ['--view-all', 'group:ops-crew'],
      "--view-all 'group:ops-crew' is not known to the tracker. Try: users by id, login, address or full name, groups by id or name, user:NAME for the holder of a token that the tracker does not know.",
    ],
    [['--view-all', '+bob,-'], "--view-all '-' has no name. Try: for example -bob."],
    [['--view', '+Everyone'], "--view '+Everyone' has a sign. Try: everyone alone, without one."],
    [
      ['--view', '-bob'],
      "--view '-bob' is not on the list. Try: a new list without signs, for it says everyone now.",
    ],
    [
      ['--edit-all', '-bob'],
      "--edit-all '-bob' is not on the list. Try: a new list without signs, for it says none now.",
    ],
    [
      ['--view-all', '+bob,+nina,-carl'],
      "--view-all '-carl' is not on the list. Try: one of those it names, bob, nina.",
    ],
    [['--view-all', '--edit-all'], `--view-all needs a value. Try: ${usage}.`],
  ])('%j is refused in one sentence, and changes nothing', async (args, detail) => {
    await expect(dwell.types('delegates', ...args)).rejects.toMatchObject({
      code: 'bad-request',
      details: [detail],
    });
    expect(await dwell.types('delegates')).toEqual({ code: 0, lines: [SAMPLE, ...atFirst] });
  });
});
