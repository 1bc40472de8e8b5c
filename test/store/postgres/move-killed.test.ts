import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '#jest';
import { loadStore } from '../../../src/store/open-store.ts';
import { readSecretKeys } from '../../../src/store/sealed-secrets.ts';
import { inFolder } from '../../support/left-folder.ts';
import { sideOf } from '../../support/move-sides.ts';
import { checksums, filledFolder, SECRET_KEY, types } from '../../support/moved-stores.ts';
import { runProcess, runSupportProcess } from '../../support/run-process.ts';
import { seeded } from '../../support/seeded.ts';
import { runs, soaking } from '../../support/soak.ts';
import { databaseOf, withDatabase } from '../../support/store-engine.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const main = fileURLToPath(new URL('../../../src/main.ts', import.meta.url));
const KILLS = soaking ? runs(10) : 1;
/** About as many steps a move has. */
const STEPS = 40;
const ownSettings = { TIME_ZONE: 'UTC', LOG_LEVEL: 'silent', SECRET_KEY };

/** A folder with tables of several slices, by the number of rows and by their bytes, and issues of two tenants. */
async function largeFolder(): Promise<string> {
  const dataDir = await filledFolder();
  inFolder(dataDir, (database) =>
    database.exec(`
      CREATE TEMP TABLE numbers AS
        WITH RECURSIVE n (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < 6000) SELECT value FROM n;
      INSERT INTO issue_seen SELECT 'acme', 'jira', value || char(10, 8364, 128512) FROM numbers;
      INSERT INTO issue (tenant, tracker, key, revision, updated, tracker_id, cut, unread_roles, packed)
        SELECT 'acme', tracker, 'A' || key, revision, -updated, NULL, cut, unread_roles, packed FROM issue;
      INSERT INTO issue (tenant, tracker, key, revision, updated, tracker_id, cut, unread_roles, packed)
        SELECT 'default', tracker, 'B' || key, 1000 + revision, updated, NULL, cut, unread_roles, packed FROM issue
        WHERE tenant = 'acme';
      INSERT INTO cache_entry (tenant, key, namespace, value, added, expires_at)
        SELECT 'acme', 'k' || value, 'n', replace(hex(zeroblob(1500000)), '00', '\\"é'), value, NULL
        FROM numbers WHERE value <= 3;`),
  );
  return dataDir;
}

/** Why no Dwell opens a store; null where one does. */
async function openProblem(place: string, inData: string): Promise<string | null> {
  const isFolder = !place.startsWith('postgres:');
  const secretKeys = readSecretKeys(SECRET_KEY, []);
  const where = isFolder ? { dataDir: place, databaseUrl: null } : { dataDir: inData, databaseUrl: place };
  try {
    const opened = await (await loadStore({ ...where, secretKeys }))({ now: () => 0 });
    await opened.close();
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

async function isFilledAt(place: string): Promise<boolean> {
  if (!place.startsWith('postgres:') && !existsSync(place)) return false;
  const side = sideOf(place);
  const filled = await side.firstFilled();
  await side.close();
  return filled !== null;
}

test('a move that is killed again and again goes on, and no Dwell uses either store meanwhile', async () => {
  const random = seeded(20_261_129);
  const [inData, back] = [temporaryFolder(), join(temporaryFolder(), 'new')];
  const [from, url] = [await largeFolder(), await databaseOf(inData)];
  const before = await checksums(from);
  let kills = 0;
  for (const [source, target] of [
    [from, url],
    [url, back],
  ] as const) {
    let isOver = false;
    // The first kill is where one store is marked and the other one is not; all together reach the end.
    for (const step of [
      3,
      ...Array.from({ length: KILLS }, () => 2 + Math.floor((random() * STEPS) / KILLS)),
    ]) {
      const delayMs = Math.floor(random() * 3);
      const args = [source, target, inData, String(step), String(delayMs)];
      const killed = await runSupportProcess('move-process.ts', ...args).ended;
      expect(killed.err).toBe('');
      isOver = killed.code === 0;
      if (isOver) break;
      kills += 1;
      const isFilled = await isFilledAt(target);
      const [first, second] = [await openProblem(source, inData), await openProblem(target, inData)];
      // One of both can be used: the first before anything was copied, or the second once it has everything.
      if (first === null) expect(isFilled).toBe(false);
      else expect(first).toMatch(/ (is being|was) moved to .*store move \S+ --force\.$/);
      if (second === null)
        expect([isFilled, first]).toEqual(
          first === null ? [false, null] : [true, expect.stringMatching(/ was moved to /)],
        );
      else expect(second).toMatch(/ is incomplete: the move from /);
    }
    if (!isOver) {
      const settings = { DATA_DIR: inData, DATABASE_URL: url };
      const args = ['store', 'move', source, target];
      const ended =
        source === from
          ? await runProcess([main, 'dwell', ...args], { ...ownSettings, ...settings }).ended
          : await types(settings, ...args);
      expect(ended).toMatchObject({ code: 0, out: expect.stringContaining('with equal checksums') });
    }
    expect(await checksums(target)).toEqual(before);
  }
  expect(kills).toBeGreaterThan(KILLS);
  const { issue, cache_entry } = before;
  expect([issue, cache_entry]).toEqual([expect.stringMatching(/^69 /), expect.stringMatching(/^15 /)]);
});

test('a store that is half filled or differs cannot be used, and takes no other one; the first is free with --force', async () => {
  const [inData, other] = [temporaryFolder(), await filledFolder()];
  const [from, url] = [await largeFolder(), await databaseOf(inData)];
  const settings = { DATA_DIR: inData, DATABASE_URL: url };
  expect((await runSupportProcess('move-process.ts', from, url, inData, '12', '0').ended).code).toBeNull();
  await withDatabase(url, (client) => client.query("UPDATE area SET word = 'other' WHERE area = 'token'"));
  const differs = await types(settings, 'store', 'move', from, url);
  expect([differs.code, differs.err]).toEqual([
    1,
    expect.stringMatching(
      /^The table 'area' differs: \d+ rows were read \(\w{8}\), and \d+ are in TO \(\w{8}\)\. /,
    ),
  ]);
  const again = `npx dwell store move ${from} DATABASE_URL`;
  expect(await openProblem(url, inData)).toBe(
    `The store in DATABASE_URL is incomplete: the move from the folder ${from} has not ended. Continue it: ${again}.`,
  );
  const refused = await types(settings, 'store', 'move', other, url);
  const half = /^TO is half filled: it has [\d,]+ rows of a move from the folder /;
  const emptied =
    /: a new database, or, if nothing else is in it, this one emptied: DROP DATABASE "(\w+)"; CREATE DATABASE "\1" OWNER "dwell" ENCODING 'UTF8' TEMPLATE template0\.\n$/;
  expect([refused.code, refused.err]).toEqual([1, expect.stringMatching(half)]);
  expect(refused.err).toContain(`, which has not ended. Continue it: ${again}. To move FROM instead, try`);
  expect(refused.err).toMatch(emptied);
  await withDatabase(`${url}?application_name=dwell`, async () => {
    expect((await types(settings, 'store', 'move', from, url)).err).toMatch(
      /^The store in DATABASE_URL is in use\./,
    );
  });
  const elsewhere = await databaseOf(temporaryFolder());
  const { err: isMoving } = await types(settings, 'store', 'move', from, elsewhere);
  expect(isMoving).toMatch(/^FROM is being moved to the database/);
  expect(isMoving).toContain(
    `If the move was interrupted, continue it: ${again}, or undo it: npx dwell store move ${from} --force.`,
  );
  const { err: isIncomplete } = await types(settings, 'store', 'move', url, join(other, 'new'));
  expect(isIncomplete).toMatch(/^FROM is incomplete: /);
  expect(isIncomplete).toContain(`Continue it: ${again}.`);
  const undone = await types(settings, 'store', 'move', from, '--force', '--json');
  expect(JSON.parse(undone.out)).toMatchObject({ store: `the folder ${from}` });
  // It may have been written to since.
  const { err: isOther } = await types(settings, 'store', 'move', from, url);
  expect(isOther).toMatch(half);
  expect(isOther).toContain('which cannot go on, as FROM was used since, or is another one now. Try');
  expect(isOther).toMatch(emptied);
  expect((await types(settings, 'store', 'move', from, elsewhere)).code).toBe(0);
});
