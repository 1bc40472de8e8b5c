/**
 * Has V8 collect the garbage of this thread. Shared memory is no part of a heap: what was let go of it stays until a thread has
 * made enough garbage of its own, which one that computes hardly does. `isLast`: memory that V8 keeps for objects to come
 * goes back to the system as well, which takes a tenth of a second. The collector is there where Node was started with
 * `--expose-gc`, as `bin/run-program.js` does; a process that exposed it later would keep compiled code which no start accepts.
 */
export function collectGarbage({ isLast }: { readonly isLast: boolean }): void {
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: isLast ? 'last-resort' : 'regular' });
}
