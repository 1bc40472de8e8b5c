import { copyFileSync, cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '#jest';
import { openTestStore } from '../../support/open-test-store.ts';
import { replaceBy } from '../../support/restore-process.ts';
import { runSupportProcess } from '../../support/run-process.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** The fact by which the tests know a database. */
async function factIn(dataDir: string, value?: string): Promise<string | null> {
  const store = await openTestStore(dataDir);
  if (value !== undefined) await store.facts.change('whose', () => value);
  const fact = await store.facts.get('whose');
  await store.close();
  return fact;
}

test('a restore that is killed after any step leaves the former database, or the whole new one, and can be repeated', async () => {
  const [origin, former] = [temporaryFolder(), temporaryFolder()];
  await factIn(origin, 'new');
  await factIn(former, 'former');
  const copy = join(temporaryFolder(), 'copy.db');
  copyFileSync(join(origin, 'dwell.db'), copy);
  const copied = () => {
    const dataDir = temporaryFolder();
    cpSync(former, dataDir, { recursive: true });
    return dataDir;
  };
  const whole = copied();
  const steps: string[] = [];
  await replaceBy(copy, whole, (step) => void steps.push(step));
  expect([steps, await factIn(whole)]).toEqual([
    ['copied', 'checked', 'stamped', 'saved', 'put in place'],
    'new',
  ]);
  const ends = steps.map(async (step) => {
    const dataDir = copied();
    const { signal } = await runSupportProcess('restore-process.ts', copy, dataDir, step).ended;
    const fact = await factIn(dataDir);
    await replaceBy(copy, dataDir, () => {});
    const left = readdirSync(dataDir).filter((name) => name.startsWith('re'));
    return [step, signal, fact, await factIn(dataDir), left.length];
  });
  const expected = steps.map((step) => {
    // Each that was put in place has moved one aside.
    const [fact, aside] = step === 'put in place' ? ['new', 2] : ['former', 1];
    return [step, 'SIGKILL', fact, 'new', aside];
  });
  expect(await Promise.all(ends)).toEqual(expected);
});
