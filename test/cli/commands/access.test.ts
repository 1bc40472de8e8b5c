import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '#jest';
import { exportFile, jiraIssue } from '../../support/jira-export.ts';
import { runCommand } from '../../support/run-command.ts';
import { startDwell, type TestDwell } from '../../support/start-dwell.ts';
import { unusedCliParts } from '../../support/unused-cli-parts.ts';

const user = (id: string, ...groups: string[]) => ({
  accountId: id,
  displayName: id.toUpperCase(),
  emailAddress: `${id}@example.com`,
  groups: { items: groups.map((name) => ({ name, groupId: `id-of-${name}` })) },
});

let dwell: TestDwell;
const start = async () => {
  dwell = await startDwell();
  await dwell.types(
    'import',
    exportFile(['DEMO-1', 'WEB-1'].map((key) => jiraIssue(key).onCloud())),
    exportFile([user('ada', 'web'), user('bob', 'web'), user('eve')]),
  );
};
const stop = () => dwell.stop();

const linesOf = async (...args: string[]) => (await dwell.types('access', ...args)).lines;
const refusalOf = (...args: string[]) =>
  dwell.types('access', ...args).then(
    ({ lines }) => lines,
    ({ code, details }) => [code, ...details],
  );
const NONE = 'No rules: every project is open, every security level closed.';

describe('access', () => {
  beforeEach(start);
  afterEach(stop);

  test('opens a project to users and groups only, lists it, and lets everyone in again', async () => {
    expect(await linesOf('demo', '--to', 'eve, id-of-web')).toEqual([
      'Project DEMO  eve (EVE), web (group of 2)',
    ]);
    expect(await linesOf('WEB', '--to=ada')).toEqual([
      'Project DEMO  eve (EVE), web (group of 2)',
      'Project WEB   ada (ADA)',
    ]);
    expect(await linesOf('DEMO', '--to', 'bob')).toEqual([
      'Project DEMO  bob (BOB)',
      'Project WEB   ada (ADA)',
    ]);
    expect(await linesOf('DEMO', '--everyone')).toEqual(['Project WEB  ada (ADA)']);
    expect(await linesOf('WEB', '--everyone')).toEqual([NONE]);
  });

  test('does the same for security levels', async () => {
    expect(await linesOf('--level', '10700', '--to', 'web')).toEqual(['Level 10700  web (group of 2)']);
    expect(await linesOf('DEMO', '--to', 'ada')).toEqual([
      'Level 10700   web (group of 2)',
      'Project DEMO  ada (ADA)',
    ]);
    expect(await linesOf('--level', '10700', '--none')).toEqual(['Project DEMO  ada (ADA)']);
  });

  test('knows groups by name and users by address, each once', async () => {
    expect(await linesOf('DEMO', '--to', 'Web,EVE@example.com,eve,,id-of-web')).toEqual([
      'Project DEMO  web (group of 2), eve (EVE)',
    ]);
  });

  test('takes whom and what the imports do not know, and says so', async () => {
    expect(await linesOf('NEW', '--to', 'U0123')).toEqual([
      'Project NEW (no issues imported)  U0123 (not in the imports)',
    ]);
  });

  test('shows nothing of an import that could command the terminal', async () => {
    await dwell.types('import', exportFile([{ ...user('ada'), displayName: 'A\u001b[2J\nB' }]));
    expect(await linesOf('DEMO', '--to', 'ada')).toEqual(['Project DEMO  ada (A [2J B)']);
  });

  test('a name that several have is refused with their ids', async () => {
    const group = (groupId: string) => ({ groupId, name: 'Ops', users: { items: [] } });
    await dwell.types('import', exportFile([group('1'), group('2')]));
    expect(await refusalOf('DEMO', '--to', 'ops')).toEqual([
      'bad-request',
      "--to 'ops' is not clear. Try: one of the ids 1, 2.",
    ]);
  });
});

describe('a command line for rules', () => {
  beforeAll(start);
  afterAll(stop);

  const usage = 'access [PROJECT (--to USER[,USER…] | --everyone) | --level ID (--to USER[,USER…] | --none)]';
  test.each([
    [['DEMO'], 'Project DEMO needs the people who can see it. Try: --to USER[,USER…] or --everyone.'],
    [['--level', '1'], 'Level 1 needs the people who can see it. Try: --to USER[,USER…] or --none.'],
    [['DEMO', '--none'], '--none is not for Project DEMO. Try: --to USER[,USER…] or --everyone.'],
    [['--level=1', '--everyone'], '--everyone is not for Level 1. Try: --to USER[,USER…] or --none.'],
    [['DEMO', '--to', 'ada', '--everyone'], '--to and --everyone cannot be used together.'],
    [['DEMO', '--level', '1', '--to', 'ada'], "PROJECT 'DEMO' and --level cannot be used together."],
    [['DEMO', '--everyone'], 'Project DEMO has no rule. Try: one that access lists.'],
    [['--level', '1', '--none'], 'Level 1 has no rule. Try: one that access lists.'],
    [['--level= ', '--none'], "--level '' is not a security level. Try: its id, such as 10700."],
    [['DEMO', '--to', ' , '], "--to ' , ' has no names. Try: ids of users and groups, such as ada,web-team."],
    [
      ['DEMO-1', '--to', 'ada'],
      "PROJECT 'DEMO-1' is not a project key. Try: the part of an issue key before the number, such as WEB.",
    ],
    [['--to', 'ada'], `--to needs a PROJECT or --level ID. Try: ${usage}.`],
    [['--everyone'], `--everyone needs a PROJECT or --level ID. Try: ${usage}.`],
  ])('%j is refused in one sentence, and changes nothing', async (args, detail) => {
    expect(await refusalOf(...args)).toEqual(['bad-request', detail]);
    expect(await dwell.types('access')).toEqual({ code: 0, lines: [NONE] });
  });
});

test('where Jira decides who sees what no rule is told or taken, for nobody would ask it', async () => {
  const parts = { ...unusedCliParts, trackerDecides: { title: 'Jira', setting: 'JIRA_RIGHTS' } };
  for (const args of [['access'], ['access', 'WEB', '--everyone']]) {
    await expect(runCommand(args, parts)).rejects.toMatchObject({
      code: 'bad-request',
      message: 'Jira decides who can see which issues',
      details: [expect.stringContaining('JIRA_RIGHTS=rules')],
    });
  }
});
