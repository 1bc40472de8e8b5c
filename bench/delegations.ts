import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { millisecondsInDay, millisecondsInMinute } from 'date-fns/constants';
import { createDelegations } from '../src/api/create-delegations.ts';
import { createLocalRegister } from '../src/api/register/create-local-register.ts';
import { type Delegation, defaultDelegationPermissions, GENERAL } from '../src/model/delegation.ts';
import type { User } from '../src/model/issue.ts';
import { openSqliteStore } from '../src/store/sqlite/open-sqlite-store.ts';
import { best, row } from './rows.ts';

const PEOPLE = 2_000;
const DELEGATIONS = 10_000;
const TURNS = 5;

/** Times what is asked of a register of ten thousand delegations of a year, and prints a table. */
export async function benchDelegations(): Promise<void> {
  const now = Date.parse('2026-03-18T12:00:00Z');
  const folder = mkdtempSync(join(tmpdir(), 'dwell-bench-'));
  const store = openSqliteStore(join(folder, 'store'));
  try {
    const ids = Array.from({ length: PEOPLE }, (_, i) => `user${i}`);
    const users = new Map(ids.map((id): [string, User] => [id, { id, name: id }]));
    const categories = [1, 2, 3].map((id) => ({ id, name: `Category ${id}`, description: '' }));
    const delegations = Array.from({ length: DELEGATIONS }, (_, i) => delegationOf(i, ids, now));
    const parts = { users: async () => users, now: () => now };
    const register = createLocalRegister({
      ...parts,
      store: async () => store.delegations('bench'),
      directory: async () => ({ categories, delegations }),
    });
    const permissions = async () => defaultDelegationPermissions;
    const api = createDelegations({ ...parts, register, permissions, groups: async () => [] });

    const asker = { user: 'user0', admin: true };
    const [person = ''] = delegations.flatMap(({ delegator, start, end }) =>
      start <= now && now < end ? [delegator] : [],
    );
    const question = { asker, person, category: GENERAL, asOf: now };
    const list = { includeExpired: true, delegator: null, delegate: null, notes: '', start: 0, size: 100 };
    const week = { from: now - 3 * millisecondsInDay, until: now + 4 * millisecondsInDay };
    const time = async (ask: () => unknown) => row(await best(TURNS, ask), 1, 'questions');

    console.table({
      'who stands in': await time(() => api.delegatesOf(question)),
      'for whom': await time(() => api.delegatorsOf(question)),
      'the chain': await time(() => api.chainOf(question)),
      'a page of the list': await time(() => api.delegations(asker, list)),
      'coverage of a week': await time(() => api.coverage(asker, week)),
      'coverage of 400 days': await time(() =>
        api.coverage(asker, { from: now, until: now + 400 * millisecondsInDay }),
      ),
      'who stood in when, of everybody': await time(async () => {
        const { times } = await api.delegateTimes(asker, null);
        for (const id of ids) times(id);
      }),
    });
  } finally {
    store.close();
    rmSync(folder, { recursive: true });
  }
}

/** Spread over the people and over a year around now, a day to three weeks long; one in five is general. */
function delegationOf(i: number, ids: readonly string[], now: number): Delegation {
  const nth = (step: number) => ids[(i * step) % ids.length] ?? '';
  const delegator = nth(1);
  const start = now - 180 * millisecondsInDay + ((i * 7919) % (365 * 1440)) * millisecondsInMinute;
  return {
    id: i + 1,
    version: 1,
    active: true,
    delegator,
    delegates: [...new Set([nth(7), nth(13)])].filter((id) => id !== delegator),
    categoryIds: i % 5 === 0 ? [] : [1 + (i % 3)],
    start,
    end: start + (1 + (i % 21)) * millisecondsInDay,
    notes: '',
  };
}
