import { describe, expect, test } from '#jest';
import type { SyncApi } from '../../../src/api/tracker/sync-api.ts';
import { AppError } from '../../../src/model/error.ts';
import type { SyncStatus } from '../../../src/model/sync.ts';
import { runCommand } from '../../support/run-command.ts';
import { anOutcome, aSync, filling } from '../../support/stand-in-sync.ts';
import { unusedCliParts } from '../../support/unused-cli-parts.ts';

async function* noConnectionFact() {}

/** A sync that is done, and runs as it is told. */
const idle: SyncApi = {
  status: async () => aSync(),
  progress: async () => aSync(),
  checkConnection: noConnectionFact,
  run: async () => anOutcome(),
  nudge: async () => {},
  start: () => {},
  stop: async () => {},
};

/** Runs the command beside a synchronisation that does as told. */
async function types(run: SyncApi['run'], ...args: string[]) {
  const [lines, progress]: [string[], string[]] = [[], []];
  const code = await runCommand(['sync', ...args], {
    ...unusedCliParts,
    tracker: async () => ({ name: 'jira', title: 'Jira' }),
    sync: { ...idle, run },
    out: (line) => void lines.push(line),
    progress: (line) => void progress.push(line),
  });
  return { code, lines, progress };
}

test('tells how what is kept stands, line by line', async () => {
  const outcome = anOutcome({
    issues: 12_300,
    cutHistories: 4,
    withheld: ['groups: the account may not browse users'],
    requests: { sent: 130, repeated: 2, slowedDown: 1 },
  });
  const { code, lines } = await types(async () => outcome);
  expect(code).toBe(0);
  expect(lines).toEqual([
    'Site             https://example.atlassian.net',
    'This run         1 new, 1 updated, 0 removed',
    'Issues           12,300',
    'Cut histories    4',
    'Fresh as of      2026-03-18T11:58:00.000Z',
    'Compared         2026-03-18T11:10:00.000Z',
    'Requests         5 in this run, 130 in all (2 repeated, 1 slowed down)',
    'Not readable     1',
    '  groups: the account may not browse users',
  ]);
});

test('says why permissions of others are unknown, unless the check of the connection has said it', async () => {
  const permissionsProblem = 'Jira does not say it. Try again.';
  const { lines } = await types(async () => anOutcome({ permissionsProblem }));
  expect(lines.slice(-2)).toEqual(['Not readable     1', `  permissions of others: ${permissionsProblem}`]);
  const json = await types(async () => anOutcome({ permissionsProblem }), '--json');
  expect(JSON.parse(json.lines[0] ?? '')).toMatchObject({
    withheld: [`permissions of others: ${permissionsProblem}`],
  });
});

test('gives scripts the same as one value', async () => {
  const problem = { at: Date.parse('2026-03-18T11:59:00Z'), message: 'Jira did not answer.' };
  const { code, lines } = await types(async () => anOutcome({ issues: 12_300, problem }), '--json');
  expect([code, lines.length]).toEqual([1, 1]);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    ...{ introductions: [], site: 'https://example.atlassian.net', movedFrom: null, filled: true },
    ...{ added: 1, updated: 1, removed: 0, issues: 12_300, withheld: [], doubt: null },
    ...{ asOf: '2026-03-18T11:58:00.000Z', comparedAt: '2026-03-18T11:10:00.000Z' },
    requests: { run: 5 },
    problem: { message: 'Jira did not answer.', at: '2026-03-18T11:59:00.000Z' },
  });
});

test('shows how far it is, and clears that at the end', async () => {
  const { progress } = await types(async (_wish, onProgress) => {
    onProgress(filling);
    return anOutcome();
  });
  expect(progress).toEqual(['Filling: 12,300 of about 50,000 issues (24%)', '']);
});

test('what kept the turn from its end is told last, and is an exit code of 1', async () => {
  const problem = { at: Date.parse('2026-03-18T11:59:00Z'), message: 'Jira answered\u001b[31m with 503.' };
  const { code, lines } = await types(async () => anOutcome({ ...filling, problem }));
  expect(code).toBe(1);
  expect(lines).toContain('Initial sync     12,300 of about 50,000 issues (24%)');
  expect(lines).toContain('Fresh as of      not before the initial sync is done');
  expect(lines.at(-1)).toMatch(/^Problem {10}Jira answered.* with 503\. \(2026-03-18T11:59:00\.000Z\)$/);
  expect(lines.at(-1)).not.toContain('\u001b');
});

test('a failure clears the progress before it is told', async () => {
  const shown: string[] = [];
  const failure = new AppError('service-unavailable', 'Jira cannot be reached.');
  const run = runCommand(['sync'], {
    ...unusedCliParts,
    tracker: async () => ({ name: 'jira', title: 'Jira' }),
    sync: {
      ...idle,
      run: async (_wish, onProgress) => {
        onProgress(filling);
        throw failure;
      },
    },
    progress: (line) => void shown.push(line),
  });
  await expect(run).rejects.toBe(failure);
  expect(shown.at(-1)).toBe('');
});

describe('what is wished', () => {
  test.each([
    [[], { compare: false, acceptRemovals: false }],
    [['--compare'], { compare: true, acceptRemovals: false }],
    // Only a comparison finds what is gone.
    [['--accept-removals'], { compare: true, acceptRemovals: true }],
  ])('%j is %j', async (args, wished) => {
    const wishes: unknown[] = [];
    await types(
      async (wish) => {
        wishes.push(wish);
        return anOutcome();
      },
      ...args,
    );
    expect(wishes).toEqual([wished]);
  });
});

test('without a connected tracker there is nothing to sync', async () => {
  const parts = { ...unusedCliParts, sync: { ...idle, status: async () => null } };
  await expect(runCommand(['sync'], parts)).rejects.toMatchObject({
    code: 'bad-request',
    message: 'There is nothing to sync',
    details: [expect.stringContaining('JIRA_')],
  });
});

/** The lines of progress of a run that reports these statuses, each at its second. */
async function progressOf(...steps: readonly (readonly [seconds: number, status: Partial<SyncStatus>])[]) {
  const lines: string[] = [];
  let now = 0;
  const run: SyncApi['run'] = async (_wish, onProgress) => {
    for (const [seconds, status] of steps) {
      now = seconds * 1000;
      onProgress({ ...filling, ...status });
    }
    return anOutcome();
  };
  const progress = (line: string) => void lines.push(line);
  await runCommand(['sync'], {
    ...unusedCliParts,
    sync: { ...idle, run },
    now: () => now,
    out() {},
    progress,
  });
  return lines.slice(0, -1);
}

test('a fill is told with its pace and what is left, once the pace says something', async () => {
  expect(await progressOf([0, { done: 3_900 }], [4, { done: 4_460 }], [60, { done: 12_300 }])).toEqual([
    'Filling: 3,900 of about 50,000 issues (7%)',
    'Filling: 4,460 of about 50,000 issues (8%)',
    'Filling: 12,300 of about 50,000 issues (24%), 8,400 a minute, about 5 min left',
  ]);
});

test('hours that are left are told as hours', async () => {
  const [, line] = await progressOf([0, { done: 0 }], [60, { done: 100, total: 12_100 }]);
  expect(line).toContain(', 100 a minute, about 2 h 0 min left');
});

test('without an estimate nobody knows what is left', async () => {
  const [, line] = await progressOf([0, { done: 0, total: null }], [60, { done: 600, total: null }]);
  expect(line).toBe('Filling: 600 issues so far, 600 a minute');
});

test('a fill that begins anew has a pace of its own', async () => {
  const [, line, next] = await progressOf([0, { done: 40_000 }], [60, { done: 100 }], [120, { done: 200 }]);
  expect(line).toBe('Filling: 100 of about 50,000 issues (0%)');
  expect(next).toContain(', 100 a minute');
});

test('other steps are told by what is done and how much is here', async () => {
  const [line, next] = await progressOf([0, { step: 'compare', issues: 12_300 }], [0, { step: 'lists' }]);
  expect(line).toBe('Comparing all issues: 12,300 issues here');
  expect(next).toMatch(/^Reading statuses/);
});
