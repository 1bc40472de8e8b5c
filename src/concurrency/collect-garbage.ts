import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

type Collector = (how: { readonly type: 'major'; readonly flavor: 'regular' | 'last-resort' }) => void;

let collector: Collector | null = null;

/**
 * Has V8 collect the garbage of this thread. Shared memory is no part of a heap: what was let go of it stays until a thread has
 * made enough garbage of its own, which one that computes hardly does. `isLast`: memory that V8 keeps for objects to come
 * goes back to the system as well, which takes a tenth of a second.
 */
export function collectGarbage({ isLast }: { readonly isLast: boolean }): void {
  collector ??= exposedCollector();
  collector({ type: 'major', flavor: isLast ? 'last-resort' : 'regular' });
}

/**
 * V8's collector, which only a context has that is made while it is exposed. It stays so: the flag is that of the process, and
 * another thread may be about to make its context.
 */
function exposedCollector(): Collector {
  setFlagsFromString('--expose-gc');
  const exposed: Collector | undefined = runInNewContext('globalThis.gc');
  return exposed ?? (() => {});
}
