import { millisecondsInDay, millisecondsInHour } from 'date-fns/constants';
import { isDue } from '../../concurrency/clock-check.ts';
import { yieldToOthers } from '../../concurrency/cooperative-yield.ts';
import type { DelegationEntry } from '../../model/delegation.ts';
import type { Instant } from '../../model/issue.ts';
import type { Documents } from '../../store/documents.ts';
import {
  delegationNumbers,
  entryOfDelegation,
  newestIn,
  newestOf,
  versionsOf,
} from './delegation-entries.ts';

/** The parts of the removal of delegations that ended; `days` after their end, null: they stay. */
interface EndedParts {
  readonly store: () => Promise<Documents<DelegationEntry>>;
  readonly days: number | null;
  readonly now: () => Instant;
}

/**
 * Returns what the clock calls to remove delegations with all their versions once they have ended long ago, one after the
 * other. Those that the tracker brings along would come back, and stay.
 */
export function createEndedRemoval({ store, days, now }: EndedParts): () => Promise<void> {
  let tidiedAt: Instant | null = null;
  return async () => {
    if (days === null || !isDue(now(), tidiedAt, millisecondsInHour)) return;
    tidiedAt = now();
    const before = now() - days * millisecondsInDay;
    const documents = await store();
    const isOver = (entry: DelegationEntry | null) => {
      const last = newestOf(versionsOf(entry));
      return last !== null && last.end < before;
    };
    for (const { id, end } of newestIn(await documents.list())) {
      if (end >= before || id < delegationNumbers.first) continue;
      await documents.change(entryOfDelegation(id), (stored) => (isOver(stored) ? null : stored));
      await yieldToOthers();
    }
  };
}
