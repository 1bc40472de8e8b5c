import { readdirSync } from 'node:fs';
import { expect, test } from '#jest';
import { methods } from '../../src/playground/methods/index.ts';

test('every file in the folder of methods is in the list, under the name it is called by', () => {
  const files = readdirSync(new URL('../../src/playground/methods', import.meta.url)).filter(
    (file) => file !== 'index.ts',
  );
  const named = methods.map(({ name }) => `${kebab(name)}.ts`);

  expect(named.toSorted()).toEqual(files.toSorted());
});

function kebab(name: string): string {
  return name
    .replaceAll('.', '-')
    .replace('URL', 'Url')
    .replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
