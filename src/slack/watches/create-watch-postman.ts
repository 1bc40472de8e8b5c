import type { WatchPostman } from '../../api/watches.ts';
import type { DoorParts } from '../command.ts';
import { knownAsker } from '../people/asker-of.ts';

/** Tells people of what sits too long. */
export function createWatchPostman(parts: DoorParts): WatchPostman {
  return {
    askerOf: (account) => knownAsker(account, parts),
    accountOf: async () => null,
    async nudge() {
      throw new Error('watches do not tell yet');
    },
  };
}
