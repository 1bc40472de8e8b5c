import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '#jest';
import { readSecretKeys } from '../../../src/store/sealed-secrets.ts';
import { openSqliteStore } from '../../../src/store/sqlite/open-sqlite-store.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** As long as the tokens of an app in Jira, which take more than one page of the file. */
const LENGTH = 6_000;

/** How often a text is in the files of a database. */
function found(dataDir: string, text: string): number {
  const files = readdirSync(dataDir).filter((name) => name.startsWith('dwell.db'));
  expect(files).toContain('dwell.db');
  return files.reduce(
    (sum, name) => sum + readFileSync(join(dataDir, name), 'latin1').split(text).length - 1,
    0,
  );
}

test('after a rotation no file of the database has a secret as it was, nor one that it has replaced', async () => {
  const dataDir = temporaryFolder();
  const serving = await openSqliteStore(dataDir);
  const { secrets, facts } = serving.forTenant('acme');
  for (const renewal of ['first', 'second', 'third'])
    await secrets.change('app-tokens', () => `${renewal}-invented ${'x'.repeat(LENGTH)} ${renewal}-end`);
  await secrets.change('token-signing-key', () => 'invented signing key');
  await facts.change('client-key', () => 'stays');
  const plain = ['-invented', 'first-end', 'second-end', 'third-end', 'invented signing key'];
  // Texts that were replaced are still there, in the write-ahead log or in free space.
  expect(plain.filter((text) => found(dataDir, text) === 0)).toEqual([]);
  expect(found(dataDir, '-invented')).toBeGreaterThan(1);

  const keys = readSecretKeys('0a'.repeat(32), []);
  const rotating = await openSqliteStore(dataDir, { secretKeys: keys });
  expect(await rotating.rotateSecrets()).toMatchObject({ secrets: 2, rewritten: 2 });
  expect(plain.filter((text) => found(dataDir, text) > 0)).toEqual([]);
  await rotating.close();
  // The process that goes on has the same file.
  expect(serving.isReplaced()).toBe(false);
  await facts.change('client-key', () => 'changed');
  await serving.close();
  expect(plain.filter((text) => found(dataDir, text) > 0)).toEqual([]);

  const after = await openSqliteStore(dataDir, { secretKeys: keys });
  const { secrets: sealed, facts: storedFacts } = after.forTenant('acme');
  expect(await sealed.get('token-signing-key')).toBe('invented signing key');
  expect(await sealed.get('app-tokens')).toMatch(/^third-invented x+ third-end$/);
  expect(await storedFacts.get('client-key')).toBe('changed');
  await after.close();
});
