import fc from 'fast-check';
import { expect, test } from '#jest';
import { cascadingOption, historyValue, joinValues } from '../../../src/model/issues/value-sets.ts';
import { runs } from '../../support/soak.ts';

const anId = fc.integer({ min: 1, max: 99_999 }).map(String);
/** A comma parts names, and a bracket at both ends is none of the name. */
const aName = fc
  .string({ minLength: 1, maxLength: 12 })
  .filter((name) => name.trim() === name && !/[,[\]]/.test(name));
const anOption = fc.record({ id: anId, name: aName });
const someOptions = fc.uniqueArray(anOption, { minLength: 1, maxLength: 5, selector: ({ id }) => id });

test('a set is one value, however a changelog spells it and in whatever order', () => {
  fc.assert(
    fc.property(
      someOptions.chain((options) =>
        fc.tuple(fc.constant(options), fc.shuffledSubarray(options, { minLength: options.length })),
      ),
      fc.constantFrom<[string, string, string, string]>(
        ['[', ', ', ']', ','],
        ['[', ',', ']', ', '],
        ['', ', ', '', ', '],
      ),
      ([options, written], [open, between, close, betweenNames]) => {
        const id = open + written.map((one) => one.id).join(between) + close;
        const name = written.map((one) => one.name).join(betweenNames);
        expect(historyValue({ id, name }, true)).toEqual(joinValues(options));
      },
    ),
    { numRuns: runs(200) },
  );
});

test('a value that has the form of contents stays as it is', () => {
  fc.assert(
    fc.property(someOptions, (options) => {
      const value = joinValues(options);
      expect(value && historyValue(value)).toEqual(value);
    }),
    { numRuns: runs(200) },
  );
});

test('a cascading option in words is the option, whatever its levels are called', () => {
  const aLevel = fc.record({ id: anId, name: fc.oneof(aName, fc.constantFrom('A (7)', 'Level 1', 'x → y')) });
  fc.assert(
    fc.property(aLevel, fc.option(aLevel), (parent, child) => {
      const second = child === null ? '' : `Level 1 values: ${child.name}(${child.id})`;
      const words = `Parent values: ${parent.name}(${parent.id})${second}`;
      expect(historyValue({ id: words, name: words }, false)).toEqual(
        child === null ? parent : cascadingOption(parent, child),
      );
    }),
    { numRuns: runs(200) },
  );
});
