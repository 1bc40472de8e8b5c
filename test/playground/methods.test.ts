import { readdirSync } from 'node:fs';
import { expect, test } from '#jest';
import { methods } from '../../playground/methods/index.ts';

test('every family of methods in the folder is in the list, and no method twice', async () => {
  const folder = new URL('../../playground/methods/', import.meta.url);
  const families = readdirSync(folder).filter((file) => file !== 'index.ts');
  const found = await Promise.all(
    families.map(async (file) => Object.values<unknown>(await import(new URL(file, folder).href)).flat()),
  );

  expect(new Set(found.flat())).toEqual(new Set(methods));
  expect(new Set(methods.map(({ name }) => name)).size).toBe(methods.length);
});
