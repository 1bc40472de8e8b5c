import { test } from '#jest';
import { storeEngine } from './store-engine.ts';

type Declare = ((...declared: Parameters<typeof test>) => void) & Pick<typeof test, 'each'>;

const nothing: Declare = Object.assign(() => {}, { each: (() => () => {}) as typeof test.each });

/** Declares tests of what only SQLite has, such as stores of earlier versions; on another engine there are no such tests. */
export const testOnSqlite: Declare = storeEngine.name === 'sqlite' ? test : nothing;
