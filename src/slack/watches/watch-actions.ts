import type { Message } from '../../block-kit/message.ts';
import { escapeMrkdwn } from '../../block-kit/mrkdwn.ts';
import { AppError } from '../../model/error.ts';
import type { Principal } from '../../model/principal.ts';
import type { Click, SlackAction } from '../app/handler-types.ts';
import { notice } from '../app/message-texts.ts';
import type { SlackParts, WatchParts } from '../app/parts.ts';
import { changeMessage } from '../app/post-message.ts';
import { digestPrincipalHere } from '../people/principals.ts';
import { listOwnWatches, readListed } from './watch-command.ts';
import { ruleWords } from './watch-rule.ts';

/** Does something to a watch; the list in which it was asked for shows it, elsewhere a sentence says so. */
async function changeWatch(
  { principal: { account }, value, replace, place: { channel }, messageTs: ts, view }: Click,
  parts: WatchParts,
  change: (principal: Principal, id: string) => Promise<string>,
): Promise<readonly Message[]> {
  const { id, isListed } = readListed(value);
  const said = await change(await digestPrincipalHere(account, parts), id);
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

/** *Delete* beside a watch, or *Stop this watch* where it told something; its value is the id. */
export const watchDelete: SlackAction<WatchParts> = {
  id: 'watch-delete',
  run: (click, parts) =>
    changeWatch(click, parts, async (principal, id) => {
      // Whoever presses it twice wanted it gone.
      await parts.watches.remove(principal, id).catch((error: unknown) => {
        if (!(error instanceof AppError) || error.code !== 'not-found') throw error;
      });
      return 'That watch is gone. `/tis watch` shows those you have.';
    }),
};

/** *No more from this watch* where somebody else's watch told something; its value is the id. */
export const watchMute: SlackAction<Pick<SlackParts, 'watches'>> = {
  id: 'watch-mute',
  async run({ principal: { account }, value }, { watches }) {
    const rule = escapeMrkdwn(ruleWords(await watches.mute(value, account)));
    return [notice(`You hear no more of this watch: ${rule}. Its owner is told instead.`)];
  },
};

/** *Pause* beside a watch; its value is the id. */
export const watchPause: SlackAction<WatchParts> = {
  id: 'watch-pause',
  run: (click, parts) =>
    changeWatch(click, parts, async (principal, id) => {
      await parts.watches.pause(principal, id);
      return 'Paused: nobody is told until you resume it with `/tis watch`.';
    }),
};

/** *Resume* beside a paused watch; its value is the id. */
export const watchResume: SlackAction<WatchParts> = {
  id: 'watch-resume',
  run: (click, parts) =>
    changeWatch(click, parts, async (principal, id) => {
      await parts.watches.resume(principal, id);
      return 'It watches again.';
    }),
};
