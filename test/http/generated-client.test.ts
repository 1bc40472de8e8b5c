import { spawnSync } from 'node:child_process';
import { copyFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, test } from '#jest';
import { generateTypes } from '../rest-client/generate-types.ts';
import { suiteDwell } from '../support/suite-dwell.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

const dwell = suiteDwell();

/** What the generated project exports. */
interface Client {
  callEverything(service: {
    readonly url: string;
    readonly token: string;
    readonly sprint: string;
  }): Promise<readonly { readonly method: string; readonly path: string; readonly status: number }[]>;
}

/** A project with nothing in it but what is generated from the description, and the calls that are made with it. */
async function generatedProject(document: string): Promise<string> {
  const folder = temporaryFolder();
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  copyFileSync(join(root, 'test/rest-client/calls.ts'), join(folder, 'calls.ts'));
  writeFileSync(join(folder, 'schema.ts'), await generateTypes(document));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  const configuration = { extends: join(root, 'tsconfig.json'), include: ['calls.ts'], exclude: [] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(configuration));
  return folder;
}

test('a client generated from the description compiles, and every operation answers it', async () => {
  const { text, json: document } = await dwell.get('/openapi.json', {}, {});
  const folder = await generatedProject(text);
  const tsc = join(root, 'node_modules/.bin/tsc');
  const { stdout } = spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' });
  expect(stdout).toBe('');

  const { Authorization } = await dwell.headerOf('ada', { admin: true });
  const { callEverything }: Client = await import(pathToFileURL(join(folder, 'calls.ts')).href);
  const calls = await callEverything({
    url: dwell.url,
    token: Authorization.slice('TISJWT '.length),
    sprint: '1',
  });

  const operations = Object.entries<Record<string, { deprecated?: true }>>(document.paths).flatMap(
    ([path, item]) =>
      Object.entries(item).flatMap(([method, { deprecated }]) => (deprecated ? [] : [`${method} ${path}`])),
  );
  expect([...new Set(calls.map(({ method, path }) => `${method} ${path}`))].toSorted()).toEqual(
    operations.toSorted(),
  );
  const refused = calls.filter(({ status }) => status >= 400).map(({ path, status }) => [path, status]);
  // Pages without what leads to them, and an event without a signature.
  expect(refused).toEqual([
    ['/link', 404],
    ['/link', 404],
    ['/jira/consent', 404],
    ['/rest/webhooks/{tracker}', 404],
  ]);
});
