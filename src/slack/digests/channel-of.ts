import type { Digest } from '../../model/digest.ts';

/** Where a digest is posted; an account names the conversation with who has it. */
export function channelOf({ place, owner }: Pick<Digest, 'place' | 'owner'>): string {
  return place.kind === 'channel' ? place.channel : owner;
}
