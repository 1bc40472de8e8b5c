import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '#jest';
import { fileFormats } from '../../../src/output/files/index.ts';

test('every file of the folder is in the list, and no kind is there twice', () => {
  const folder = fileURLToPath(new URL('../../../src/output/files', import.meta.url));
  const files = readdirSync(folder).filter((file) => file !== 'index.ts');
  const ids = fileFormats.map(({ id }) => `${id.replace(/[A-Z]/, (one) => `-${one.toLowerCase()}`)}.ts`);
  expect(ids.sort()).toEqual(files.sort());
});
