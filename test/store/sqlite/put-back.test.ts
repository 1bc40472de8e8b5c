import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '#jest';
import { anIssue } from '../../support/issue-story.ts';
import { exportFile, jiraIssue, movesTo, searchResult } from '../../support/jira-export.ts';
import { openTestStore } from '../../support/open-test-store.ts';
import { typesRestore } from '../../support/restore-command.ts';
import { startDwell } from '../../support/start-dwell.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Enough for columns to be stored in a file. */
const ISSUES = 2100;
const [BORN, LATER] = ['2026-03-02T09:00:00Z', '2026-03-03T09:00:00Z'];
const environment = { TRACKER: 'file', PLAYGROUND: 'off' };
const numbers = (count: number) => Array.from({ length: count }, (_, i) => i + 1);

/** Issues of WEB that moved into a status at 9 on a day of March. */
const moved = (to: string, some: readonly number[]) =>
  exportFile(
    searchResult(
      ...some.map((number) =>
        jiraIssue(`WEB-${number}`, { created: '2026-03-02T09:00:00.000Z' })
          .at('2026-03-09T09:00:00.000Z', movesTo(to))
          .onCloud(),
      ),
    ),
  );

const start = (dataDir: string) => startDwell({ dataDir, environment });

/** How long all issues together have been in each status, as a server on that folder says. */
async function figures(dataDir: string) {
  const dwell = await start(dataDir);
  const question = { filterType: 'project', projectKey: 'WEB', columnsBy: 'statusDuration' };
  const { json } = await dwell.get('/rest/issues/aggregation', { ...question, aggregationType: 'sum' });
  await dwell.stop();
  return json.table;
}

/** Puts a copy of a database in the place of another. */
function putBack(copy: string, dataDir: string): void {
  for (const end of ['-wal', '-shm']) rmSync(join(dataDir, `dwell.db${end}`), { force: true });
  copyFileSync(copy, join(dataDir, 'dwell.db'));
}

test('a database that is restored in place is answered from itself, although older columns look like its own', async () => {
  const dataDir = temporaryFolder();
  const copy = join(temporaryFolder(), 'copy.db');
  const born = numbers(ISSUES).map((number) =>
    jiraIssue(`WEB-${number}`, { created: '2026-03-02T09:00:00.000Z' }),
  );
  const [some, last] = [numbers(100), numbers(ISSUES).slice(100, 200)];
  const imported = async (...files: string[]) => {
    const dwell = await start(dataDir);
    for (const file of files) expect((await dwell.types('import', file)).code).toBe(0);
    return dwell;
  };
  const first = await imported(exportFile(searchResult(...born.map((issue) => issue.onCloud()))));
  await first.stop();
  await figures(dataDir);
  const idle = await start(dataDir);
  expect((await idle.types('backup', copy)).code).toBe(0);
  await idle.stop();
  const second = await imported(moved('In Progress', some), moved('In Review', last));
  await second.stop();
  await figures(dataDir);
  await typesRestore({ DATA_DIR: dataDir }, LATER, copy, '--replace');
  // As many changes as before, the last of them the very same.
  const third = await imported(moved('Done', some), moved('In Review', last));
  await third.stop();
  const alone = temporaryFolder();
  putBack(join(dataDir, 'dwell.db'), alone);
  expect(await figures(dataDir)).toEqual(await figures(alone));
});

test('what a killed process left of the write-ahead log is not taken for that of a copy that is put back', async () => {
  const dataDir = temporaryFolder();
  const copy = join(temporaryFolder(), 'copy.db');
  const issues = (to: string) =>
    numbers(400).map((number) => anIssue(`WEB-${number}`, BORN).moves(to, LATER).issue);
  const store = await openTestStore(dataDir);
  const put = (to: string) => store.issues('file').putIssues(issues(to), (_, incoming) => incoming);
  await put('In Progress');
  await store.backUp(copy, { stamp: 'copy' });
  await put('Done');
  // As they are on the disk when the process is killed.
  const killed = temporaryFolder();
  for (const end of ['-wal', '-shm'])
    copyFileSync(join(dataDir, `dwell.db${end}`), join(killed, `dwell.db${end}`));
  copyFileSync(copy, join(killed, 'dwell.db'));
  store.close();
  const restored = await openTestStore(killed);
  const { issues: found } = await restored.issues('file').changedSince(0, 1000);
  const statuses = found.map(({ issue }) => issue.status.name);
  restored.close();
  expect(statuses).toEqual(numbers(400).map(() => 'In Progress'));
  expect(await restoredAgain(killed)).toBe(400);
});

/** How many issues there are after another start. */
async function restoredAgain(dataDir: string): Promise<number> {
  const store = await openTestStore(dataDir);
  const count = await store.issues('file').count();
  store.close();
  return count;
}
