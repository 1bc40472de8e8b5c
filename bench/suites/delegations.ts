import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { millisecondsInDay, millisecondsInMinute } from 'date-fns/constants';
import { type Category, type DelegationInput, GENERAL } from '../../src/model/delegation.ts';
import { openTestStore } from '../../test/support/open-test-store.ts';
import { principalOf } from '../../test/support/principal-of.ts';
import { timed } from '../measure.ts';
import { openProduct } from '../product/open-product.ts';
import { type Row, timeRow } from '../rows.ts';
import type { Suite } from '../suite.ts';
import { people, worldNow } from '../world/invent-issue.ts';

const name = 'delegations';
const DELEGATIONS = 10_000;
const now = worldNow;

/** What is asked of a register of ten thousand delegations of a year. */
export const delegations: Suite = {
  name,
  about: 'who covers for whom, in a register of ten thousand delegations',
  quick: null,
  usual: [],
  full: [],
  async run() {
    const dataDir = mkdtempSync(join(tmpdir(), 'dwell-bench-'));
    try {
      await fill(dataDir);
      const product = await openProduct(dataDir, () => now);
      const api = product.delegations;
      const principal = principalOf(people[0]?.id ?? '', 'admin');
      const person = people.find((_, i) => isCoveredNow(i))?.id ?? '';
      const question = { principal, person, category: GENERAL, asOf: now };
      const list = { includeExpired: true, delegator: null, delegate: null, notes: '', start: 0, size: 100 };
      const questions: Readonly<Record<string, () => unknown>> = {
        'who covers for a person': () => api.delegatesOf(question),
        'who a person covers for': () => api.delegatorsOf(question),
        'the chain': () => api.chainOf(question),
        'a page of the list': () => api.delegations(principal, list),
        'coverage of a week': () =>
          api.coverage(principal, { from: now - 3 * millisecondsInDay, until: now + 4 * millisecondsInDay }),
        'coverage of 400 days': () =>
          api.coverage(principal, { from: now, until: now + 400 * millisecondsInDay }),
        'when each person covered': async () => {
          const { times } = await api.delegateTimes(principal, null);
          for (const { id } of people) times(id);
        },
      };
      const rows: Row[] = [];
      for (const [title, ask] of Object.entries(questions))
        rows.push(timeRow({ suite: name, name: title, size: null }, await timed(ask)));
      await product.close();
      return rows;
    } finally {
      rmSync(dataDir, { recursive: true });
    }
  },
};

async function fill(dataDir: string): Promise<void> {
  const store = await openTestStore(dataDir);
  await store.issues('file').putUsers(people);
  const register = store.documents('file').delegations;
  const categories: Category[] = [];
  for (const name of ['Category 1', 'Category 2', 'Category 3']) {
    const numbers = { name: 'category', first: 101 };
    const made = await register.addNumbered(numbers, (id) => ({ category: { id, name, description: '' } }));
    categories.push(made.category);
  }
  const saving = { version: 1, savedBy: people[0]?.id ?? '', savedAt: now };
  for (let i = 0; i < DELEGATIONS; i += 1) {
    const input = delegationOf(i, categories);
    await register.addNumbered({ name: 'delegation', first: 100_001 }, (id) => ({
      versions: [{ ...input, id, ...saving }],
    }));
  }
  await store.close();
}

/** Spread over the people and over a year around now, a day to three weeks long; one in five is general. */
function delegationOf(i: number, categories: readonly Category[]): DelegationInput {
  const nth = (step: number) => people[(i * step) % people.length]?.id ?? '';
  const delegator = nth(1);
  const start = startOf(i);
  return {
    active: true,
    delegator,
    delegates: [...new Set([nth(7), nth(13)])].filter((id) => id !== delegator),
    categoryIds: i % 5 === 0 ? [] : categories.slice(i % 3, (i % 3) + 1).map(({ id }) => id),
    start,
    end: start + (1 + (i % 21)) * millisecondsInDay,
    notes: '',
  };
}

function startOf(i: number): number {
  return now - 180 * millisecondsInDay + ((i * 7919) % (365 * 1440)) * millisecondsInMinute;
}

function isCoveredNow(i: number): boolean {
  return startOf(i) <= now && now < startOf(i) + (1 + (i % 21)) * millisecondsInDay;
}
