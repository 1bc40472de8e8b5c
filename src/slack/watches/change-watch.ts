import type { DigestAsker } from '../../api/digests.ts';
import type { Click } from '../action.ts';
import type { DoorParts } from '../command.ts';
import { digestAskerHere } from '../digests/digest-asker-here.ts';
import type { Message } from '../message.ts';
import { notice } from '../messages/notice.ts';
import { listOwnWatches } from './list-own.ts';

/** Does something to a watch; the list in which it was asked for shows it, elsewhere a sentence says so. */
export async function changeWatch(
  { asker: { user: account }, replace }: Click,
  parts: DoorParts,
  change: (asker: DigestAsker) => Promise<string>,
): Promise<readonly Message[]> {
  const said = await change(await digestAskerHere(account, parts));
  if (replace === null) return [notice(said)];
  await replace(await listOwnWatches(account, parts));
  return [];
}
