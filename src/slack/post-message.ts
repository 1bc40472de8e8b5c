import type { Logger } from 'pino';
import type { Message } from '../block-kit/message.ts';
import { refusalOf } from './exports/refusal.ts';
import type { Pictures } from './pictures/pictures.ts';
import { mayBeRefused, plainer } from './pictures/plainer.ts';
import { withShownChart } from './pictures/with-pictures.ts';
import { withinLimits } from './within-limits.ts';

/** Slack's words for blocks it does not like; whoever hears one knows that nothing was posted. */
const dislikes =
  /^(invalid_blocks|invalid_blocks_format|msg_blocks_too_long|only_one_table_allowed|invalid_arguments)/;

/**
 * Posts a message by `post`, and where Slack refuses its chart or its table, in ever plainer forms. Whatever else goes
 * wrong is handed on at once, so that nothing is posted twice.
 */
export async function postMessage<T>(
  message: Message,
  post: (message: Message) => Promise<T>,
  { pictures, log }: { readonly pictures: Pictures | null; readonly log: Logger },
): Promise<T> {
  const shown = pictures === null ? message : await withShownChart(message, null, pictures);
  try {
    return await post(withinLimits(shown, log));
  } catch (refusal) {
    if (!isDislike(refusal) || !mayBeRefused(shown)) throw refusal;
    log.warn({ err: refusal }, 'a message with a chart or a table was refused, posting it more plainly');
    let last = refusal;
    for (const rung of plainer(shown, pictures)) {
      try {
        const posted = await post(withinLimits(await rung.make(), log));
        await rung.taken();
        return posted;
      } catch (error) {
        if (!isDislike(error)) throw error;
        last = error;
      }
    }
    throw last;
  }
}

function isDislike(error: unknown): boolean {
  return dislikes.test(refusalOf(error) ?? '');
}
