import { rmSync } from 'node:fs';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from '#jest';
import { buildDwell, type Dwell } from '../../src/compose/build-dwell.ts';
import { readConfig } from '../../src/compose/config.ts';
import { filling, standInSync } from '../support/stand-in-sync.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const folder = temporaryFolder();
const logged: string[] = [];
let dwell: Dwell;
let url: string;
beforeAll(async () => {
  const config = readConfig({ PORT: '0', DATA_DIR: folder, TIME_ZONE: 'UTC', PLAYGROUND: 'off' });
  dwell = await buildDwell(config, {
    now: () => Date.parse('2026-03-18T12:00:00Z'),
    log: pino({ level: 'info' }, { write: (line: string) => void logged.push(line) }),
    trackerBuilder: standInSync({ status: filling }).trackerBuilder,
  });
  ({ url } = await dwell.start());
});
afterAll(async () => {
  await dwell.stop();
  rmSync(folder, { recursive: true });
});

test('the process is ready during the first fill, and tells how far that is', async () => {
  const answer = await fetch(`${url}/readyz`);
  expect([answer.status, await answer.json()]).toEqual([
    200,
    { status: 'ready', firstFill: '12,300 of about 50,000 issues (24%)' },
  ]);
});

test('a list that is asked for too early is logged as something to know of, without a stack', async () => {
  const token = await dwell.commandLine.tokens.issue({ user: 'ada', admin: true, lifetimeMs: 60_000 });
  const query = new URLSearchParams({
    filterType: 'project',
    projectKey: 'WEB',
    columnsBy: 'statusDuration',
  });
  const answer = await fetch(`${url}/rest/issues?${query}`, {
    headers: { Authorization: `TISJWT ${token}` },
  });
  expect(answer.status).toBe(503);
  const [line = '', ...others] = logged.filter((one) => JSON.parse(one).path !== undefined);
  expect(others).toEqual([]);
  expect(JSON.parse(line)).toMatchObject({
    level: pino.levels.values.info,
    path: '/rest/issues',
    why: expect.stringContaining('still being read'),
  });
  expect(line).not.toContain('stack');
});
