import { expect, test } from '#jest';
import { memo } from '../../src/cache/namespace.ts';

test('a value is made once for an object, and is the same from then on', () => {
  let made = 0;
  const sizeOf = memo((list: readonly string[]) => {
    made += 1;
    return { size: list.length };
  });
  const [one, equal] = [['a'], ['a']];
  expect(sizeOf(one)).toBe(sizeOf(one));
  expect(sizeOf(equal)).not.toBe(sizeOf(one));
  expect(made).toBe(2);
});

test('of other keys those that came last are known, and a value may be undefined', () => {
  const made: string[] = [];
  const nothing = memo((key: string, by: string): undefined => void made.push(`${key} by ${by}`), 2);
  for (const key of ['a', 'b', 'a', 'c', 'b', 'a']) nothing(key, 'me');
  expect(made).toEqual(['a by me', 'b by me', 'c by me', 'a by me']);
});

test('a revision is known until another comes, and what fails is tried again', () => {
  let made = 0;
  const at = memo((revision: number) => {
    made += 1;
    if (made === 1) throw new Error('busy');
    return revision;
  });
  expect(() => at(1)).toThrow('busy');
  expect([at(1), at(1), at(2), at(1)]).toEqual([1, 1, 2, 1]);
  expect(made).toBe(4);
});
