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
