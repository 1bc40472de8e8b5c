import type { DigestPostman } from '../../api/digests.ts';
import type { DoorParts } from '../command.ts';
import { knownAsker } from '../people/asker-of.ts';

/** Posts digests into channels and conversations. `apiUrl` is where Slack is called instead of at its own address. */
export function createDigestPostman(
  parts: DoorParts & { readonly apiUrl: string | undefined },
): DigestPostman {
  return {
    askerOf: (account) => knownAsker(account, parts),
    async deliver() {
      throw new Error('digests are not posted yet');
    },
    async tellOwner() {},
  };
}
