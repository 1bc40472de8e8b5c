import { millisecondsInHour } from 'date-fns/constants';
import { createNamespace } from '../../../cache/namespace.ts';
import { sharedTask } from '../../../concurrency/cooperative-yield.ts';
import type { Instant } from '../../../model/issue.ts';

/** What one learning is about: `effect` says the same for all principals who see the same, `key` says the rest. */
interface Learning<Value> {
  readonly effect: () => Promise<string>;
  readonly key: readonly unknown[];
  readonly learn: () => Promise<Value>;
}

/**
 * Learns values once an hour for all principals whose rights have the same effect. Where the effect is another one after
 * the learning, the value is for the principal it was learned for and nobody else: it may hold more than others can see.
 */
export function createSharingByEffect<Value>({
  name,
  most,
  now,
}: {
  readonly name: string;
  readonly most: number;
  readonly now: () => Instant;
}): (learning: Learning<Value>) => Promise<Value> {
  const known = createNamespace<{ readonly value: Value; readonly isShared: boolean }>({
    name,
    most,
    now,
    share: sharedTask,
    ttlMs: ({ isShared }) => (isShared ? millisecondsInHour : 0),
  });
  return async ({ effect, key, learn }) => {
    const before = await effect();
    let isOwn = false;
    const { value, isShared } = await known.getOrMake(JSON.stringify([before, ...key]), async () => {
      isOwn = true;
      const learned = await learn();
      return { value: learned, isShared: (await effect()) === before };
    });
    return isShared || isOwn ? value : learn();
  };
}
