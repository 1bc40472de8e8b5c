import { expect, test } from '#jest';
import { readEngine } from '../support/store-engine.ts';

test('suites of the store run over the engine that is named, and over SQLite where none is', () => {
  expect([readEngine('sqlite').name, readEngine(undefined).name]).toEqual(['sqlite', 'sqlite']);
});

test('an engine that is not there is refused', () => {
  expect(() => readEngine('oracle')).toThrow("STORE_ENGINE 'oracle' is not known. Try: sqlite.");
});
