import type { Message } from '../../block-kit/message.ts';
import type { Principal } from '../../model/principal.ts';
import type { Click } from '../action.ts';
import { digestAskerHere } from '../digests/digest-principal-here.ts';
import { changeMessage } from '../exports/change-message.ts';
import { notice } from '../messages/notice.ts';
import type { WatchParts } from '../parts.ts';
import { listOwnWatches } from './list-own.ts';
import { readListed } from './listed-watch.ts';

/** Does something to a watch; the list in which it was asked for shows it, elsewhere a sentence says so. */
export async function changeWatch(
  { principal: { account }, value, replace, place: { channel }, messageTs: ts, view }: Click,
  parts: WatchParts,
  change: (principal: Principal, id: string) => Promise<string>,
): Promise<readonly Message[]> {
  const { id, isListed } = readListed(value);
  const said = await change(await digestAskerHere(account, parts), id);
  if (replace !== null) {
    await replace(await listOwnWatches(account, parts));
    return [];
  }
  if (!isListed || view !== null) return [notice(said)];
  const { web, log } = parts;
  try {
    await changeMessage(web, { channel, ts }, await listOwnWatches(account, parts), log);
    return [];
  } catch (error) {
    log.warn({ err: error, account }, 'a list of watches could not be shown anew');
    return [notice(said)];
  }
}
