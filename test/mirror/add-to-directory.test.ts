import { expect, test } from '#jest';
import { addToDirectory } from '../../src/mirror/fill.ts';
import { emptyDirectory } from '../../src/model/directory.ts';

const field = (id: string, name = id) => ({ id, name });

test('entries are added by id, replacing those of the same id, and lists not spoken of stay', () => {
  const access = [{ kind: 'level', id: '1', viewers: ['ada'] } as const];
  const first = addToDirectory(emptyDirectory, { fields: [field('10'), field('9')], access });
  const second = addToDirectory(first, { fields: [field('9', 'nine'), field('summary')] });
  expect(second.fields).toEqual([field('9', 'nine'), field('10'), field('summary')]);
  expect(second.access).toEqual(access);
  expect(first.fields).toEqual([field('9'), field('10')]);
});

test('rules for a project and a level of the same id stand side by side', () => {
  const project = { kind: 'project', id: '1', viewers: ['ada'] } as const;
  const level = { kind: 'level', id: '1', viewers: ['bob'] } as const;
  const directory = addToDirectory(emptyDirectory, { access: [project, level] });
  expect(addToDirectory(directory, { access: [{ ...level, viewers: [] }] }).access).toEqual([
    { ...level, viewers: [] },
    project,
  ]);
});
