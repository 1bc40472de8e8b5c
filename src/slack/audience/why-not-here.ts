import type { Contents } from '../../model/contents.ts';
import type { DoorParts, Place } from '../command.ts';

/**
 * Why an answer with these contents may not be told in a place where others read it, in whole sentences (mrkdwn, with
 * what would help); none: it may. Whatever cannot be found out counts as a no.
 */
export async function whyNotHere(
  _contents: Contents | null,
  _channel: Place['channel'],
  _parts: DoorParts,
): Promise<readonly string[]> {
  throw new Error('the audience check is not built');
}
