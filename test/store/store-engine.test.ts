import { expect, test } from '#jest';
import { readEngine } from '../support/store-engine.ts';

test('suites of the store run over the engine that is named, and over SQLite where none is', () => {
  expect([readEngine('postgres').name, readEngine(undefined).name]).toEqual(['postgres', 'sqlite']);
});

test('an engine that is not there is refused', () => {
  expect(() => readEngine('oracle')).toThrow("STORE_ENGINE 'oracle' is not known. Try: sqlite, postgres.");
});
