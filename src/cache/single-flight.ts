import { detached } from '../concurrency/cooperative-yield.ts';

/** How several callers wait for one piece of work; `onEnd` is called when there is nothing to wait for any more. */
export type Share = <Result>(run: () => Promise<Result>, onEnd: () => void) => () => Promise<Result>;

/** Work under way by key, begun once however many ask for it at the same time. */
interface SingleFlight<Result> {
  /** What is under way for the key; null where nothing is. */
  joined(key: string): Promise<Result> | null;
  /** Joins what is under way, or begins it. `isCurrent` turns false when the key is dropped meanwhile. */
  run(key: string, work: (isCurrent: () => boolean) => Promise<Result>): Promise<Result>;
  /** Whoever asks from now on begins from scratch. */
  drop(key: string): void;
}

/** Nothing under way. `share` decides what becomes of work whose callers leave; by default it goes on to its end. */
export function singleFlight<Result>(share: Share = shareToTheEnd): SingleFlight<Result> {
  const flights = new Map<string, () => Promise<Result>>();
  return {
    joined: (key) => flights.get(key)?.() ?? null,
    run(key, work) {
      const underWay = flights.get(key);
      if (underWay !== undefined) return underWay();
      const isCurrent = () => flights.get(key) === join;
      const end = () => {
        if (isCurrent()) flights.delete(key);
      };
      const join: () => Promise<Result> = share(async () => {
        // The flight is on the list before its work begins, so that the work may ask whether it still is.
        await null;
        try {
          return await work(isCurrent);
        } finally {
          end();
        }
      }, end);
      flights.set(key, join);
      return join();
    },
    drop: (key) => void flights.delete(key),
  };
}

function shareToTheEnd<Result>(run: () => Promise<Result>): () => Promise<Result> {
  // Those who joined still wait for it when the one who asked first has left.
  const result = detached(run);
  return () => result;
}
