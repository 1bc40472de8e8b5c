import type { DigestPlace } from '../../model/digest.ts';
import type { Place } from '../command.ts';
import { isDirect } from '../hours-here.ts';
import type { DigestWords } from './read-digest-words.ts';

/** Where a digest is to be told that was typed or filled in at a place. */
export function placeOf({ place }: Pick<DigestWords, 'place'>, at: Pick<Place, 'channel'>): DigestPlace {
  return place === 'owner' || isDirect(at.channel)
    ? { kind: 'owner' }
    : { kind: 'channel', channel: at.channel };
}
