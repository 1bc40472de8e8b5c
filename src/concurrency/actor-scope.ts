import { AsyncLocalStorage } from 'node:async_hooks';
import type { Actor } from '../model/audit.ts';
import { requestId } from './request-scope.ts';

const current = new AsyncLocalStorage<Omit<Actor, 'requestId'>>();

/** Runs the work of someone: what it changes is theirs in the audit log. Each door opens such a scope for its principal. */
export function asActor<Result>(
  { account, via, tokenId = null }: Pick<Actor, 'account' | 'via'> & Partial<Pick<Actor, 'tokenId'>>,
  work: () => Result,
): Result {
  return current.run({ account, via, tokenId }, work);
}

/** Returns the one whose work is under way, in the request under way; Dwell itself where it is no one's. */
export function currentActor(): Actor {
  const actor = current.getStore() ?? { account: null, via: 'system', tokenId: null };
  return { ...actor, requestId: requestId() };
}

/** Runs work that goes on by itself, whoever set it off. */
export function asSystem<Result>(work: () => Result): Result {
  return current.exit(work);
}
