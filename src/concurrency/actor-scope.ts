import { AsyncLocalStorage } from 'node:async_hooks';
import type { Actor } from '../model/audit.ts';

const system: Actor = { account: null, via: 'system', tokenId: null, requestId: null };

const current = new AsyncLocalStorage<Actor>();

/** Runs the work of someone: what it changes is theirs in the audit log. Each door opens such a scope for its principal. */
export function asActor<Result>(
  { account, via, tokenId = null, requestId = null }: Pick<Actor, 'account' | 'via'> & Partial<Actor>,
  work: () => Result,
): Result {
  return current.run({ account, via, tokenId, requestId }, work);
}

/** Returns the one whose work is under way; Dwell itself where it is no one's. */
export function currentActor(): Actor {
  return current.getStore() ?? system;
}

/** Runs work that goes on by itself, whoever set it off. */
export function asSystem<Result>(work: () => Result): Result {
  return current.exit(work);
}
