import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { exportFile, jiraIssue } from '../../support/jira-export.ts';
import { startDwell, type TestDwell } from '../../support/start-dwell.ts';

const SAMPLE = 'Delegations of the invented company (TRACKER=sample); its admins may view and edit all.';
const IMPORTS = 'Delegations of the imports; its admins may view and edit all.';
const atFirst = ['View their own  everyone', 'View all        nobody', 'Edit all        nobody'];

let dwell: TestDwell;
const start = async () => {
  dwell = await startDwell();
};
const stop = () => dwell.stop();
const linesOf = async (...args: string[]) => (await dwell.types('delegates', ...args)).lines;

describe('delegates', () => {
  beforeEach(start);
  afterEach(stop);

  test('says that everyone may view their own until somebody has said otherwise', async () => {
    expect(await dwell.types('delegates')).toEqual({ code: 0, lines: [SAMPLE, ...atFirst] });
  });

  test('says one list anew and leaves the others alone', async () => {
    expect(await linesOf('--view-all', 'ops-team, bob')).toEqual([
      SAMPLE,
      'View their own  everyone',
      'View all        ops-team (group of 4), bob (Bob)',
      'Edit all        nobody',
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
    expect(await linesOf('--view', 'nobody', '--view-all', 'Everyone')).toEqual([
      SAMPLE,
      'View their own  nobody',
      'View all        everyone',
      'Edit all        nobody',
    ]);
    expect(await linesOf('--view', ' everyone ', '--view-all', 'nobody')).toEqual([SAMPLE, ...atFirst]);
  });

  test('knows users by address, each once, takes whom the tracker does not know, and says so', async () => {
    expect(await linesOf('--edit-all', 'NINA@example.com,nina,,robot,user:carl,group:carl')).toEqual([
      SAMPLE,
      'View their own  everyone',
      'View all        nobody',
      'Edit all        nina (Nina), robot (not known there), user:carl (Carl), group:carl (not known there)',
    ]);
  });

  test('keeps apart whose tracker it is, and shows nothing that could command the terminal', async () => {
    await linesOf('--view-all', 'bob');
    await dwell.types(
      'import',
      exportFile([jiraIssue('DEMO-1').onCloud()]),
      exportFile([{ accountId: 'zoe', displayName: 'Z\u001b[2JOE' }]),
    );
    expect(await linesOf()).toEqual([IMPORTS, ...atFirst]);
    expect(await linesOf('--view-all', 'bob,zoe')).toEqual([
      IMPORTS,
      'View their own  everyone',
      'View all        bob (not known there), zoe (Z [2JOE)',
      'Edit all        nobody',
    ]);
  });
});

describe('a command line for rights to delegations', () => {
  beforeAll(start);
  afterAll(stop);

  const usage = 'delegates [--view LIST] [--view-all LIST] [--edit-all LIST]';
  test.each([
    [['--view', ' , '], "--view ' , ' names nobody; allowed: ids of users and groups, such as ada,web-team."],
    [
      ['--view-all', 'everyone,ada'],
      "--view-all 'everyone,ada' says everyone and others; allowed: everyone alone, or ids of users and groups.",
    ],
    [
      ['--view', 'bob', '--edit-all', 'ada,nobody'],
      "--edit-all 'ada,nobody' says nobody and others; allowed: nobody alone, or ids of users and groups.",
    ],
    [['--view-own', 'ada'], `Option '--view-own' is not known; allowed: ${usage}.`],
    [['--view-all'], `--view-all needs a value; allowed: ${usage}.`],
    [['ada'], `'ada' is one word too many; allowed: ${usage}.`],
  ])('%j is refused in one sentence, and changes nothing', async (args, detail) => {
    await expect(dwell.types('delegates', ...args)).rejects.toMatchObject({
      code: 'bad-request',
      details: [detail],
    });
    expect(await linesOf()).toEqual([SAMPLE, ...atFirst]);
  });
});
