import { createTakeTurns, type TakeTurns } from '../../api/local/settings/take-turns.ts';

/** Runs one piece of work of each key at a time. */
export type TakeTurnsBy<Key> = <Result>(key: Key, work: () => Promise<Result>) => Promise<Result>;

interface Queue {
  readonly takeTurns: TakeTurns;
  waiting: number;
}

/** Work of different keys does not wait for each other; of keys without work nothing is kept. */
export function createTakeTurnsBy<Key>(): TakeTurnsBy<Key> {
  const queues = new Map<Key, Queue>();
  return async (key, work) => {
    const queue = queues.get(key) ?? { takeTurns: createTakeTurns(), waiting: 0 };
    queues.set(key, queue);
    queue.waiting += 1;
    try {
      return await queue.takeTurns(work);
    } finally {
      queue.waiting -= 1;
      if (queue.waiting === 0) queues.delete(key);
    }
  };
}
