import { flushCompileCache } from 'node:module';
import { setTimeout as pause } from 'node:timers/promises';
import type { MoveSide } from '../../src/store/move/move-side.ts';
import { moveStore } from '../../src/store/move/move-store.ts';
import { sideOf } from './move-sides.ts';

/**
 * A process that moves a store, and kills itself so many ms after it has begun the step with a number, counted over both
 * sides; what it prints is the number of steps.
 */
const [from = '', to = '', dataDir = '', last = '', delayMs = ''] = process.argv.slice(2);

let steps = 0;

/** Calls of these have an effect that a kill may leave done, half done or not done. */
const counted = new Set(['begin', 'setMark', 'add', 'finish', 'release', 'prepare']);

const watched = (side: MoveSide): MoveSide =>
  new Proxy(side, {
    get(target, name) {
      const value = Reflect.get(target, name, target);
      if (typeof value !== 'function' || !counted.has(String(name))) return value;
      return (...args: unknown[]) => {
        steps += 1;
        if (String(steps) === last)
          void pause(Number(delayMs)).then(() => {
            // The next process is to find what was compiled, as if this one had ended in peace.
            flushCompileCache();
            process.kill(process.pid, 'SIGKILL');
          });
        return value.apply(target, args);
      };
    },
  });

const sides = { from: watched(sideOf(from, dataDir)), to: watched(sideOf(to, dataDir)) };
await moveStore({
  ...sides,
  isForced: false,
  newId: () => String(process.pid),
  now: () => 0,
  onProgress: () => {},
});
for (const side of Object.values(sides)) await side.close();
process.stdout.write(String(steps));
