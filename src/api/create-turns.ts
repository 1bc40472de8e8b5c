/** Lets so many do something at a time; the others wait in the order they came. */
export interface Turns {
  /** Resolves with what ends the turn; fails with the signal's reason when that comes first. */
  take(signal?: AbortSignal): Promise<() => void>;
}

export function createTurns(most: number): Turns {
  const waiting = new Set<() => void>();
  let taken = 0;
  const end = () => {
    taken -= 1;
    for (const next of waiting) {
      next();
      break;
    }
  };
  return {
    take(signal) {
      const { promise, resolve, reject } = Promise.withResolvers<() => void>();
      const leave = () => {
        waiting.delete(begin);
        reject(signal?.reason);
      };
      const begin = () => {
        waiting.delete(begin);
        signal?.removeEventListener('abort', leave);
        taken += 1;
        resolve(end);
      };
      if (signal?.aborted) reject(signal.reason);
      else if (taken < most) begin();
      else {
        waiting.add(begin);
        signal?.addEventListener('abort', leave);
      }
      return promise;
    },
  };
}

/** The same for each of many, by name: nobody waits for another's turns. */
export function createTurnsOfEach(most: number): {
  take(name: string, signal?: AbortSignal): Promise<() => void>;
} {
  const byName = new Map<string, { readonly turns: Turns; waiting: number }>();
  return {
    async take(name, signal) {
      const own = byName.get(name) ?? { turns: createTurns(most), waiting: 0 };
      byName.set(name, own);
      own.waiting += 1;
      const leave = () => {
        own.waiting -= 1;
        if (own.waiting === 0) byName.delete(name);
      };
      try {
        const end = await own.turns.take(signal);
        return () => {
          end();
          leave();
        };
      } catch (error) {
        leave();
        throw error;
      }
    },
  };
}
