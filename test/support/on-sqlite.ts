import { test } from '#jest';
import { storeEngine } from './store-engine.ts';

/** A test of what only SQLite has, such as stores of earlier versions and the file of the database; others skip it. */
export const testOnSqlite = storeEngine.name === 'sqlite' ? test : test.skip;
